// A simulation may come to another state in another build. A recording has the state of every turn, so its pictures are those that the
// policy saw.
import { beforeAll, expect, it } from "vitest";
import type { Trajectory } from "../../core/types.ts";
import { loadEnv } from "../../envs/index.ts";
import { config } from "../../envs/primitive-skill/config.ts";
import { loadPhysics } from "../../envs/primitive-skill/physics.ts";
import { PrimitiveSkill } from "../../envs/primitive-skill/primitive-skill.ts";
import { OwnGame } from "../replay/own-game.ts";
import { replayEpisode } from "./replay-frames.ts";

beforeAll(async () => {
  await loadEnv("primitive-skill");
  await loadPhysics();
});

const OPTIONS = { env_id: "PlaceTwoCube" };

function begin(seed: number): PrimitiveSkill {
  const env = new PrimitiveSkill(config.parse(OPTIONS));
  env.reset(seed);
  return env;
}

/** A turn that starts from a game, with a skill or without. */
function turnFrom(index: number, env: PrimitiveSkill, skill?: string) {
  const [before, saved] = [env.groundTruth(), env.save()];
  if (skill) env.step(skill);
  const executed = skill ? [{ name: skill, valid: true, effective: true, note: "" }] : [];
  return { index, before, after: env.groundTruth(), saved, executed };
}

it("shows the stored state of every turn, and lets a visitor go on from it", () => {
  const elsewhere = begin(8);
  const turns = [turnFrom(0, begin(3), "pick(0,0,20)"), turnFrom(1, elsewhere)];
  const recorded = { envId: "primitive-skill", seed: 3, turns } as unknown as Trajectory;
  const replayed = replayEpisode(recorded, OPTIONS);
  expect(replayed).toMatchObject({ ok: true });
  const shown = replayed.ok ? replayed.turns[1]!.before : null;
  expect(shown).toEqual(elsewhere.render(64));
  expect(new OwnGame(recorded, OPTIONS, 1).position.state.frame).toEqual(shown);
});

it("says what is wrong with a stored state of another task", () => {
  const turn = { ...turnFrom(0, begin(3)), saved: { state: [1, 2], skills: 0, order: [0, 1] } };
  const recorded = { envId: "primitive-skill", seed: 3, turns: [turn] } as unknown as Trajectory;
  expect(replayEpisode(recorded, OPTIONS)).toEqual({
    ok: false,
    reason: expect.stringContaining("no state of PlaceTwoCube"),
  });
});
