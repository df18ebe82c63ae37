// Replays of episodes in a user's own environment, whose code the page does not run.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ExtensionError } from "../../core/errors.ts";
import type { GroundTruth, Trajectory, Turn } from "../../core/types.ts";
import { envs } from "../../envs/index.ts";
import { ownEnvironment } from "../../envs/own/index.ts";
import type { OwnEnvironment } from "../../envs/own/own.ts";
import type { ActionsFrom, OwnEnv } from "../../worker/own-env-protocol.ts";
import { useExtensions } from "../store/extension-store.ts";
import { findOwnSteps } from "./find-own-steps.ts";
import { ownSteps, watchOwnSteps } from "./own-steps.ts";
import { cachedReplay, replayEpisode } from "./replay-frames.ts";

type State = { col: number };
const walk = {
  id: "walk",
  title: "Walk",
  description: "",
  rows: 2,
  cols: 5,
  actions: ["Left", "Right"],
  things: {
    goal: { color: "#0a7a3c", shape: "square", symbol: "G" },
    player: { color: "#c62f3b", shape: "disc", symbol: "P" },
  },
  claims: ["goal"],
  start: (): State => ({ col: 0 }),
  step({ col }: State, action: string) {
    const next = Math.max(0, col + (action === "Right" ? 1 : -1));
    return { state: { col: next }, success: next === 4 };
  },
  where: ({ col }: State) => ({ player: [0, col], goal: [0, 4] }),
} as unknown as OwnEnvironment;

const good = ownEnvironment(walk);
/** The same things, with code that must not be called. */
const endless = () => vi.fn((): never => expect.unreachable("the page runs the environment's code"));
const code = { start: endless(), step: endless(), where: endless(), plan: endless() };
const spec = ownEnvironment({ ...walk, ...code });
const extension = { name: "mine.mjs", source: "export default () => {}" };
let remove: () => void;

beforeEach(() => {
  remove = envs.add(spec);
  const registered = [{ name: extension.name, provides: ["environment walk"] }];
  useExtensions.setState({ active: [extension], registered });
});
afterEach(() => {
  remove();
  useExtensions.setState({ active: [], registered: [] });
});

/** An episode as training records it, a turn for each list of actions, and the pictures of all its states. */
function recorded(...turns: string[][]) {
  const game = good.create(good.config.parse({}));
  game.reset(1);
  const pictures: number[][][] = [];
  const played = turns.map((actions, index) => {
    const before = game.groundTruth();
    const drawn = [[...game.render(8).data]];
    for (const action of actions) {
      game.step(action);
      drawn.push([...game.render(8).data]);
    }
    pictures.push(drawn);
    const executed = actions.map((name) => ({ name, valid: true }));
    return {
      index,
      before,
      executed,
      after: game.groundTruth(),
      observation: { images: [] },
    } as unknown as Turn;
  });
  return { trajectory: { envId: "walk", seed: 1, turns: played } as unknown as Trajectory, pictures };
}

function shown(trajectory: Trajectory) {
  const replay = replayEpisode(trajectory, {}, 8);
  if (!replay.ok) throw new Error(replay.reason);
  const pictures = replay.turns.map(({ before, steps }) => [before, ...steps].map(({ data }) => [...data]));
  return { pictures, gap: replay.gap };
}

/** What the worker answers for an environment. */
const answer = async (_own: OwnEnv, turns: readonly ActionsFrom[]) =>
  turns.map(({ before, actions }) => {
    const game = good.recorded!.from(before, good.config.parse({}));
    return actions.map((action) => {
      game.step(action);
      return game.groundTruth() as GroundTruth;
    });
  });

it("draws turns of one action from the recording alone", async () => {
  const { trajectory, pictures } = recorded(["Right"], ["Right"], ["Left"]);
  const play = vi.fn(answer);
  await findOwnSteps(trajectory, play);
  expect(shown(trajectory)).toEqual({ pictures, gap: "" });
  expect(play).not.toHaveBeenCalled();
  for (const called of Object.values(code)) expect(called).not.toHaveBeenCalled();
});

it("lets a worker find out what lies between the actions of a turn", async () => {
  const { trajectory, pictures } = recorded(["Right"], ["Right", "Right", "Left"]);
  const play = vi.fn(answer);
  const [start, one, , three] = pictures[1]!;
  const waiting = {
    pictures: [pictures[0], [start, start, start, three]],
    gap: "The states between the actions of a turn are being computed.",
  };
  expect(shown(trajectory)).toEqual(waiting);
  expect(one).not.toEqual(start);
  const found = Promise.all([findOwnSteps(trajectory, play), findOwnSteps(trajectory, play)]);
  expect(ownSteps(trajectory).state).toBe("asked");
  expect(shown(trajectory)).toEqual(waiting);
  await found;
  expect(shown(trajectory)).toEqual({ pictures, gap: "" });
  expect(play).toHaveBeenCalledTimes(1);
  expect(play.mock.lastCall).toMatchObject([
    { extension, envId: "walk" },
    [{ actions: ["Right", "Right", "Left"] }],
  ]);
  for (const called of Object.values(code)) expect(called).not.toHaveBeenCalled();
});

it("says what is missing where the worker was ended", async () => {
  const { trajectory, pictures } = recorded(["Right", "Right"]);
  const problem = new ExtensionError("failed", "It did not end within 10 seconds.", "Correct its step.");
  await findOwnSteps(trajectory, () => Promise.reject(problem));
  const [start, , end] = pictures[0]!;
  expect(shown(trajectory)).toEqual({
    pictures: [[start, start, end]],
    gap: "Where a turn has several actions, the state before the turn stands for those between them. It did not end within 10 seconds. Correct its step.",
  });
});

it.each([
  ["a turn is missing", []],
  ["a state is missing", [[{}]]],
])("says so where the worker's answer does not fit: %s", async (_, played) => {
  const { trajectory } = recorded(["Right", "Right"]);
  await findOwnSteps(trajectory, async () => played as never);
  expect(shown(trajectory).gap).toMatch(/between them\. The worker's answer does not have a state for each/);
});

it("says so where the environment belongs to no extension", async () => {
  useExtensions.setState({ active: [], registered: [] });
  const { trajectory } = recorded(["Right", "Right"]);
  await findOwnSteps(trajectory, vi.fn(answer));
  expect(shown(trajectory).gap).toMatch(/ No extension has the environment "walk"\.$/);
});

it("asks again after the extension has been corrected, and drops an answer that comes too late", async () => {
  const { trajectory, pictures } = recorded(["Right", "Right"]);
  await findOwnSteps(trajectory, () => Promise.reject(new Error("step failed")));
  const failed = cachedReplay(trajectory, {});
  expect(failed).toMatchObject({ gap: expect.stringContaining("step failed") });
  expect(cachedReplay(trajectory, {})).toBe(failed);

  const listener = vi.fn();
  const unwatch = watchOwnSteps(listener);
  const register = (source: string) => {
    remove();
    remove = envs.add(ownEnvironment({ ...walk, ...code }));
    useExtensions.setState({ active: [{ name: extension.name, source }] });
  };
  register("second");
  expect(listener).toHaveBeenCalled();
  unwatch();
  expect(ownSteps(trajectory).state).toBe("unknown");
  expect(cachedReplay(trajectory, {})).toMatchObject({ gap: expect.stringContaining("are being computed") });

  let fail = (_: Error): void => undefined;
  const late = findOwnSteps(trajectory, () => new Promise((_, reject) => (fail = reject)));
  register("third");
  const play = vi.fn(answer);
  await findOwnSteps(trajectory, play);
  fail(new Error("the second one failed"));
  await late;
  expect(play.mock.lastCall![0].extension.source).toBe("third");
  expect(shown(trajectory)).toEqual({ pictures, gap: "" });
});

it("notices an environment that has changed since the recording", async () => {
  const { trajectory } = recorded(["Right", "Right"]);
  await findOwnSteps(trajectory, async (_own, turns) => turns.map(({ before }) => [before, before]));
  expect(replayEpisode(trajectory, {}, 8)).toEqual({
    ok: false,
    reason: "The replay differs from the recording at turn 1.",
  });
});
