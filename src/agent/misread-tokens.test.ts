// Demonstrations that misread their state: what they say and do, and which of their tokens are learned.
import { beforeAll, describe, expect, it } from "vitest";
import type { FormatId } from "../core/formats.ts";
import type { Trajectory } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { POLICY_TOKENS, packBatch } from "../training/batch.ts";
import { misreadTokens } from "./misread-tokens.ts";
import { demonstrationBatch } from "./players.ts";
import { navigationTemplate } from "./templates/navigation.ts";
import { testTask } from "./test-task.ts";

beforeAll(() => envs.get("navigation").load?.());

const episodes = Array.from({ length: 12 }, (_, i) => ({ id: `e${i}`, seed: i, groupId: "g", rngKey: i }));

const demonstrated = (
  misreadFraction: number,
  oneTurn = false,
  env = "navigation",
  format: FormatId = "grounding_worldmodeling",
): Promise<Trajectory[]> =>
  demonstrationBatch({
    // Physics takes its time.
    ...(env === "primitive-skill"
      ? { task: testTask(env, { format, maxTurns: 2 }), episodes: episodes.slice(0, 6) }
      : { task: testTask(env, { format }), episodes }),
    skill: { randomFraction: 0, expertFraction: 1, misreadFraction },
    oneTurn,
    seed: 0,
  });

/** Half of whose turns are misread; the tests only read them. */
let half: readonly Trajectory[];
beforeAll(async () => {
  half = await demonstrated(0.5);
});

const turnsOf = (batch: readonly Trajectory[]) => batch.flatMap(({ turns }) => turns);
const isRight = ({ reply, before }: Trajectory["turns"][number]): boolean =>
  reply.includes(navigationTemplate.describe(before as never));

describe("misread turns", () => {
  it("say something else, and do what follows from it", async () => {
    const [right, misread] = await Promise.all([demonstrated(0), demonstrated(1)]);
    expect(turnsOf(right).every(isRight)).toBe(true);
    const known = turnsOf(misread).filter(({ before }) => "facts" in before && before.facts?.known);
    expect(known.length).toBeGreaterThan(20);
    // The draw may leave everything where it is.
    const wrong = known.filter((turn) => !isRight(turn));
    expect(wrong.length / known.length).toBeGreaterThan(0.9);
    for (const { reply, executed } of wrong) {
      const [, ahead, way, right, side] = /target \w+ (\d+) (ahead|back) (\d+) (left|right)/.exec(reply)!;
      // Nobody steps away from where the target seems to be; the last of the turns may look for it.
      const against = [
        Number(ahead) > 0 && (way === "ahead" ? "move_backward" : "move_forward"),
        Number(right) > 0 && (side === "right" ? "move_left" : "move_right"),
      ];
      expect(against).not.toContain(executed[0]!.name);
    }
    const wasBlocked = (turns: typeof known) =>
      turns.some(({ executed }) => executed.some((one) => !one.effective));
    expect([wasBlocked(turnsOf(right)), wasBlocked(wrong)]).toEqual([false, true]);
  });

  it("are as frequent as asked for", async () => {
    const turns = turnsOf(half);
    const share = turns.filter((turn) => !isRight(turn)).length / turns.length;
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.6);
  });

  it("are marked as a whole, and no other token is", async () => {
    for (const trajectory of half) {
      const marks = misreadTokens(trajectory);
      const { responseMask, turnIndex } = trajectory.tokens;
      for (const [t, mark] of marks.entries()) {
        const turn = trajectory.turns[turnIndex[t]!];
        expect(mark).toBe(Number(responseMask[t] === 1 && turn !== undefined && !isRight(turn)));
      }
    }
  });

  it("are read and not trained on", async () => {
    for (const { trajectory, lossMask, sequences } of packBatch(half, {
      ...POLICY_TOKENS,
      untaught: misreadTokens,
    })) {
      const marks = misreadTokens(trajectory);
      for (const [t, taught] of lossMask.entries())
        expect(taught).toBe(marks[t] ? 0 : trajectory.tokens.responseMask[t]);
      expect(sequences.flatMap(({ ids }) => [...ids])).toEqual([...trajectory.tokens.ids]);
    }
  });

  it("do not occur where no turn follows, or nothing can be mistaken", async () => {
    expect(turnsOf(await demonstrated(1, true)).every(isRight)).toBe(true);
    for (const trajectory of await demonstrated(1, false, "frozenlake"))
      expect(misreadTokens(trajectory).some(Boolean)).toBe(false);
  });

  it("are all learned where replies state nothing", async () => {
    for (const trajectory of await demonstrated(1, false, "navigation", "no_think"))
      expect(misreadTokens(trajectory).some(Boolean)).toBe(false);
  });
});

describe("misread turns of PrimitiveSkill", () => {
  beforeAll(() => envs.get("primitive-skill").load?.());

  /** The places that a reply gives two cubes, and where its first skill picks something up. */
  const said = (reply: string) => ({
    places: [.../(?:red|green) cube \(([^)]*)\)/g[Symbol.matchAll](reply.split("</observation>")[0]!)].map(
      ([, place]) => place!,
    ),
    picks: /<answer>pick\(([^)]*)\)/.exec(reply)?.[1],
  });

  it("take two cubes for each other, move the wrong one, and are not learned", async () => {
    const [right, misread] = await Promise.all(
      [0, 1].map((share) => demonstrated(share, false, "primitive-skill")),
    );
    for (const [k, { turns, ...trajectory }] of misread!.entries()) {
      const [honest, mistaken] = [right![k]!.turns[0]!, turns[0]!].map(({ reply }) => said(reply));
      expect(mistaken!.places).toEqual([...honest!.places].reverse());
      const meant = honest!.places.indexOf(honest!.picks!);
      expect([mistaken!.picks, meant >= 0]).toEqual([mistaken!.places[meant], true]);
      const marks = misreadTokens({ ...trajectory, turns });
      const { responseMask, turnIndex } = trajectory.tokens;
      for (const [t, sampled] of responseMask.entries())
        if (turnIndex[t] === 0) expect(marks[t]).toBe(sampled);
    }
    expect(right!.flatMap((trajectory) => [...misreadTokens(trajectory)]).some(Boolean)).toBe(false);
  });

  it("do not occur where a reply does not say what it sees", async () => {
    const [right, free] = await Promise.all(
      [0, 1].map((share) => demonstrated(share, false, "primitive-skill", "free_think")),
    );
    expect(turnsOf(free!).map(({ reply }) => reply)).toEqual(turnsOf(right!).map(({ reply }) => reply));
  });
});
