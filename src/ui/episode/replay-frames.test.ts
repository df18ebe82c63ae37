// What is not looked at is not drawn, in whatever order the pictures are looked at.
import { afterEach, expect, it, vi } from "vitest";
import type { Frame } from "../../core/types.ts";
import type { Env } from "../../envs/env.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { cachedReplay, replayEpisode } from "./replay-frames.ts";

await Promise.all(envs.ids.map(loadEnv));

const KNOWN = [...envs.ids];
const render = vi.fn<(patchPx: number) => void>();
/** FrozenLake under another name, where drawing is counted. */
const remove = envs.add({
  ...envs.get("frozenlake"),
  id: "counted",
  create: (config, options) => {
    const env = envs.get("frozenlake").create(config, options);
    const draw = env.render.bind(env);
    env.render = (patchPx) => {
      render(patchPx);
      return draw(patchPx);
    };
    return env;
  },
});
afterEach(() => render.mockClear());

const framesOf = (replay: ReturnType<typeof replayEpisode>): Frame[] => {
  if (!replay.ok) throw new Error(replay.reason);
  return replay.turns.flatMap(({ before, steps }) => [before, ...steps]);
};

/** As they were drawn before: each state when the game comes to it. */
function drawnOnTheWay(envId: string, { seed, turns }: ReturnType<typeof fakeTrajectory>): Frame[] {
  const spec = envs.get(envId);
  const env: Env = spec.create(spec.config.parse({}));
  env.reset(seed);
  return turns.flatMap(({ executed }) => [
    env.render(16),
    ...executed.map(({ name }) => {
      env.step(name);
      return env.render(16);
    }),
  ]);
}

it("opens an episode without a drawing, and draws what is looked at, once", () => {
  const trajectory = { ...fakeTrajectory({ id: "lazy", seed: 5, skill: 0.6 }), envId: "counted" };
  const frames = framesOf(cachedReplay(trajectory, {}));
  expect(frames.length).toBeGreaterThan(1);
  expect([frames[0]!.width, frames[0]!.height]).toEqual([256, 256]);
  expect(render).not.toHaveBeenCalled();
  for (let look = 0; look < 3; look++) expect(frames[1]!.data).toHaveLength(256 * 256 * 4);
  expect(render.mock.calls).toEqual([[64]]);
  // The player takes the same episode.
  expect(framesOf(cachedReplay(trajectory, {}))[1]).toBe(frames[1]);
  remove();
});

it.each(KNOWN)("draws the states of %s in any order as on the way through them", (envId) => {
  const trajectory = fakeTrajectory({ id: "order", envId, seed: 5, skill: 0.7 });
  const expected = drawnOnTheWay(envId, trajectory);
  const frames = framesOf(replayEpisode(trajectory, {}, 16));
  expect(frames).toHaveLength(expected.length);
  const order = frames.map((_, i) => i).reverse();
  for (const i of [...order, 0, frames.length - 1])
    expect(Buffer.compare(Buffer.from(frames[i]!.data), Buffer.from(expected[i]!.data))).toBe(0);
});

it("keeps no replay of an episode with other options", () => {
  const trajectory = fakeTrajectory({ id: "options", seed: 5 });
  expect(cachedReplay(trajectory, {})).toMatchObject({ ok: true });
  expect(cachedReplay(trajectory, { size: -1 })).toMatchObject({ ok: false });
});

it("plays a recording in which an older build stated fewer facts, but none that has changed", () => {
  const trajectory = fakeTrajectory({ id: "older", envId: "navigation", seed: 5, skill: 0.7 });
  const turns = trajectory.turns.map((turn) => {
    const { target_direction: _, target_distance: __, ...facts } = turn.before.facts!;
    return { ...turn, before: { ...turn.before, facts } };
  });
  expect(replayEpisode({ ...trajectory, turns }, {}, 8)).toMatchObject({ ok: true });
  turns[0]!.before.facts = { ...turns[0]!.before.facts, target_x: 99 };
  expect(replayEpisode({ ...trajectory, turns }, {}, 8)).toMatchObject({ ok: false });
});

it("shows what only the recording says of the state after a turn, such as a model's score", () => {
  const trajectory = fakeTrajectory({ id: "scored", envId: "svg", seed: 5, skill: 1 });
  const turns = trajectory.turns.map((turn) => ({
    ...turn,
    after: { ...turn.after, facts: { ...turn.after.facts, dino: 0.75 } },
  }));
  const replay = replayEpisode({ ...trajectory, turns }, {});
  expect(replay).toMatchObject({ ok: true });
  const facts = replay.ok ? replay.turns.map(({ truths }) => truths.at(-1)?.facts) : [];
  expect(facts.length).toBeGreaterThan(0);
  for (const [i, after] of facts.entries())
    expect(after).toEqual({ ...trajectory.turns[i]!.after.facts, dino: 0.75 });
});
