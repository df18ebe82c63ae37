// What a visitor sees of a move in a game of their own.
import { expect, it } from "vitest";
import { loadEnv } from "../../envs/index.ts";
import { OwnGame } from "./own-game.ts";
import { arriveAt } from "./own-picture.tsx";

await Promise.all(["navigation", "primitive-skill", "svg"].map(loadEnv));

/** Level 3 before and after a move. */
function moved(envId: string, name: string) {
  const game = new OwnGame({ envId, seed: 3, turns: [] }, {}, 0, 1);
  const before = game.position;
  game.play(name);
  return { game, before, after: game.position };
}

const PICK = "pick(0,0,20)";
const DRAW =
  '<svg viewBox="0 0 64 64"><rect width="32" height="32" fill="red"/><rect x="32" width="32" height="32"/></svg>';

it.each([
  ["navigation", "turn_right"],
  ["primitive-skill", PICK],
  ["svg", DRAW],
])("is the motion of %s, from the state before the move on", (envId, name) => {
  const { before, after } = moved(envId, name);
  const { motion, frame } = after.state;
  const arrival = arriveAt(after, before);
  expect(arrival.from).toBe(before.state);
  expect(arrival.ms).toBe(Math.min(5000, 1000 * motion!.seconds));
  expect(arrival.ms).toBeGreaterThan(0);
  const isFinal = (second: number) =>
    Buffer.from(motion!.picture(second).data).equals(Buffer.from(frame.data));
  expect([isFinal(0), isFinal(motion!.seconds)]).toEqual([false, true]);
});

it("takes the time of an action in a replay where there is no motion", () => {
  const { before, after } = moved("frozenlake", "Down");
  expect(arriveAt(after, before)).toEqual({ position: after, from: before.state, ms: 450 });
});

it("is not shown when the move is taken back, or the game begins again", () => {
  const { game, before, after } = moved("primitive-skill", PICK);
  game.undo();
  expect(arriveAt(game.position, after)).toEqual({ position: before, from: null, ms: 0 });
  game.reset();
  expect(arriveAt(game.position, after).from).toBeNull();
});
