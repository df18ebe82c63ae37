// What a teacher of PrimitiveSkill says and does: it aims at places that were given to it, in words that a small policy can copy.
import { beforeAll, describe, expect, it } from "vitest";
import type { Trajectory, WorldTruth } from "../../core/types.ts";
import { readSkill } from "../../envs/primitive-skill/skills.ts";
import type { TaskId } from "../../envs/primitive-skill/task-ids.ts";
import { demonstrationBatch } from "../players.ts";
import { testTask } from "../test-task.ts";

const TASKS: readonly TaskId[] = ["PlaceTwoCube", "StackThreeCube", "PutAppleInDrawer", "AlignTwoCube"];

const taskOf = (env_id: TaskId) =>
  testTask("primitive-skill", {}, { env_id, positions: "shuffled", max_actions_per_step: 2 });

const demonstrated = (env_id: TaskId): Promise<Trajectory[]> =>
  demonstrationBatch({
    task: taskOf(env_id),
    episodes: [0, 1, 2, 3].map((seed) => ({ id: `${seed}`, seed, groupId: `${seed}`, rngKey: seed })),
    skill: { randomFraction: 0, expertFraction: 1 },
    oneTurn: false,
    seed: 0,
  });

beforeAll(() => taskOf("PlaceTwoCube").spec.load?.());

describe.each(TASKS)("a teacher of %s", (env_id) => {
  it("puts things down where another thing is, or on whole centimetres, and succeeds", async () => {
    let placed = 0;
    for (const { turns, success } of await demonstrated(env_id)) {
      expect(success).toBe(true);
      for (const { parsed, before } of turns)
        for (const skill of parsed.actions.map(readSkill)) {
          if (skill?.name !== "place") continue;
          const [x, y] = skill.points[0]!;
          const listed = (before as WorldTruth).things.some(({ at }) => at[0] === x && at[1] === y);
          expect(listed || (x % 10 === 0 && y % 10 === 0)).toBe(true);
          placed++;
        }
    }
    expect(placed).toBeGreaterThanOrEqual(4);
  });

  it("says each coordinate along the table in one token, with the comma after it", async () => {
    const { vocabulary } = taskOf(env_id);
    for (const { turns } of await demonstrated(env_id))
      for (const { reply } of turns) {
        const surfaces = Array.from(vocabulary.encode(reply), (id) => vocabulary.surface(id));
        const near = [...reply.matchAll(/(?<![\d-])(-?[01]?\d?\d,)(?=-?\d)/g)].map(
          ([, coordinate]) => coordinate,
        );
        expect(surfaces.filter((text) => /^-?\d+,$/.test(text) && near.includes(text)).length).toBe(
          near.length,
        );
      }
  });
});
