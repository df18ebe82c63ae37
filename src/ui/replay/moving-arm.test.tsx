// The arm's skills take the time on screen that they take in the world, and are shown as soon as the simulation has been loaded.
import { useState } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { envs, loadEnv } from "../../envs/index.ts";
import { placeAt } from "../../replay/clock.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { motionSeconds, shownAt, statesOf } from "./episode-states.ts";
import { carryMoment } from "./pair-moment.ts";
import { timelineIn } from "./timeline-in.ts";
import { useEpisode } from "./use-player.ts";

const played = (trajectory: ReturnType<typeof fakeTrajectory>) => ({
  ...{ trajectory, envConfig: {}, maxTurns: 5, title: trajectory.id },
});

await loadEnv("primitive-skill");

describe("a skill of the arm", () => {
  const arm = (id: string, seed: number) =>
    fakeTrajectory({ id, envId: "primitive-skill", seed, skill: 1, maxTurns: 2 });

  it("lasts as long as its motion, and then rests", () => {
    const trajectory = arm("a", 3);
    const states = statesOf(trajectory, {});
    expect(states.problem).toBe("");
    const timeline = timelineIn("stream", played(trajectory), states);
    const seconds = motionSeconds(states, trajectory);
    const { from, to } = timeline.phases.find(({ kind }) => kind === "action")!;
    expect(seconds[0]![0]).toBeGreaterThan(1.5);
    expect(to - from).toBeCloseTo(1000 * seconds[0]![0]! + 0.4 * 750);
    // A tenth of a second later, the picture is that of a tenth of a second later.
    const wayAt = (ms: number) => shownAt(states, trajectory, placeAt(timeline, ms)!)!.way;
    expect((wayAt(from + 1100) - wayAt(from + 1000)) * seconds[0]![0]!).toBeCloseTo(0.1);
    expect(wayAt(to - 1)).toBe(1);
  });
  it("takes the time of other actions where no picture moves", () => {
    const { phases } = timelineIn("stream", played(arm("a", 3)), null);
    const { from, to } = phases.find(({ kind }) => kind === "action")!;
    expect(to - from).toBe(750);
  });
  it("is the same moment in both replays of a pair, and in each alone", () => {
    const pair = [played(arm("a", 3)), played(arm("b", 4))] as const;
    const moment = { turn: 0, token: null, action: 0, reading: null, speed: null, from: null, to: null };
    for (const moves of [true, false]) {
      const way = { reading: "log", moves } as const;
      const both = carryMoment(moment, { ...way, from: 0, to: "both" }, pair);
      const alone = carryMoment(both, { ...way, from: "both", to: 0 }, pair);
      expect(alone).toMatchObject({ turn: 0, action: 0 });
    }
  });
});

it("has no motion for an invalid action", () => {
  const trajectory = fakeTrajectory({ id: "a", seed: 5, maxTurns: 1 });
  const [turn] = trajectory.turns;
  const [before] = statesOf(trajectory, {}).turns[0]!;
  const film = { seconds: 2, picture: () => before!.frame };
  const executed = [false, true].map((valid) => ({ ...turn!.executed[0]!, valid }));
  const states = {
    turns: [[before!, { ...before!, motion: film }]],
    seen: [],
    gap: "",
    floor: null,
    problem: "",
  };
  expect(motionSeconds(states, { ...trajectory, turns: [{ ...turn!, executed }] })).toEqual([[null, 2]]);
});

it("plays an episode again once its environment has been loaded", () => {
  const lake = envs.get("frozenlake");
  const still = envs.add({ ...lake, id: "slow", title: "Slow", load: () => new Promise(() => undefined) });
  const replay = played({ ...fakeTrajectory({ id: "slow", seed: 5 }), envId: "slow" });
  const problems: string[] = [];
  let remove = () => undefined as unknown;
  function Player() {
    const [isLater, setLater] = useState(false);
    problems.push(useEpisode(replay, "log").states.problem);
    if (isLater) return null;
    // As when loading is done; the component renders again with what it remembers.
    still();
    remove = envs.add({ ...lake, id: "slow", title: "Slow" });
    setLater(true);
    return null;
  }
  renderToStaticMarkup(<Player />);
  remove();
  expect(problems).toEqual(["Slow is still loading.", ""]);
});
