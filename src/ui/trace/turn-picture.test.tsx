// The picture of a turn in a trace goes with the player from the state before the turn to the one after it.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { PhaseKind } from "../../replay/clock.ts";
import { describeTruth } from "../episode/describe-truth.ts";
import { cachedReplay } from "../episode/replay-frames.ts";
import { statesOf } from "../replay/episode-states.ts";
import type { Playback } from "../replay/playback.ts";
import { PlayerClock } from "../replay/player-clock.ts";
import { timelineIn } from "../replay/timeline-in.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { TurnPicture } from "./turn-picture.tsx";

const envConfig = {};
const trajectory = fakeTrajectory({ id: "a", seed: 11, skill: 1 });
const turn = trajectory.turns.find(({ before, after }) => before !== after)!;
const replayed = cachedReplay(trajectory, envConfig);
const frames = replayed.ok ? replayed.turns[turn.index]! : null;
const replay = { trajectory, envConfig, maxTurns: 5, title: "a" };
const states = statesOf(trajectory, envConfig);
const timeline = timelineIn("log", replay, states);

/** The player at the end of a part of the turn. */
function playedTo(kind: PhaseKind): Playback {
  const phase = timeline.phases.findLast((one) => one.turn === turn.index && one.kind === kind)!;
  const clock = new PlayerClock({ ms: phase.to - 1 });
  return { replay, states, timeline, events: [], clock, local: (ms) => ms };
}

const shown = (playback: Playback | null, view: "agent" | "debug" = "agent") =>
  renderToStaticMarkup(
    <TurnPicture
      {...{ envId: "frozenlake", envConfig, turn, frames, playback, view }}
      previous={undefined}
      floor={null}
    />,
  );

const labelOf = (html: string) => /<canvas[^>]*aria-label="([^"]*)"/.exec(html)![1];
const described = (truth: typeof turn.before) =>
  `Turn ${turn.index + 1}. ${describeTruth("frozenlake", truth)}`;

it("is of the state before the turn unless the player has come to its actions", () => {
  expect(described(turn.after)).not.toBe(described(turn.before));
  for (const playback of [null, playedTo("look"), playedTo("prediction")])
    expect(labelOf(shown(playback))).toBe(described(turn.before));
  for (const playback of [playedTo("action"), playedTo("verdict")])
    expect(labelOf(shown(playback))).toBe(described(turn.after));
});

it("outlines what is said of the state before the turn, and from the prediction on what is predicted", () => {
  // The player and the goal; a right prediction has the player elsewhere.
  const outlines = (html: string) => html.match(/<rect [^>]*>/g) ?? [];
  const before = outlines(shown(null, "debug"));
  expect(before.length).toBeGreaterThan(0);
  expect(outlines(shown(playedTo("observation"), "debug"))).toEqual(before);
  const predicted = outlines(shown(playedTo("prediction"), "debug"));
  expect(predicted.length).toBeGreaterThan(0);
  expect(predicted).not.toEqual(before);
});
