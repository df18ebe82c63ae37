import { expect, it } from "vitest";
import { loadEnv } from "../../envs/index.ts";
import { OwnGame } from "./own-game.ts";
import { filmedAt } from "./turn-film.tsx";

await loadEnv("primitive-skill");

/** The states of a turn in which a game makes some moves. */
function statesOf(envId: string, ...names: string[]) {
  const game = new OwnGame({ envId, seed: 3, turns: [] }, {}, 0, 1);
  const states = [game.position.state];
  for (const name of names) {
    game.play(name);
    states.push(game.position.state);
  }
  return states;
}

it("shows the way of each action in its time, and then the last state", () => {
  const states = statesOf("primitive-skill", "pick(0,0,20)", "pick(0,0,20)");
  const [before, first, second] = states;
  const [ofFirst, ofSecond] = [first!, second!].map(({ motion }) => 1000 * motion!.seconds);
  const close = expect.closeTo(0.5);
  expect(filmedAt(states, 0)).toEqual({ state: first, from: before, way: 0 });
  expect(filmedAt(states, ofFirst! / 2)).toEqual({ state: first, from: before, way: close });
  expect(filmedAt(states, ofFirst! + ofSecond! / 2)).toEqual({ state: second, from: first, way: close });
  for (const ms of [ofFirst! + ofSecond!, Number.POSITIVE_INFINITY])
    expect(filmedAt(states, ms)).toEqual({ state: second, from: null, way: 1 });
});

it("takes the time of an action in a replay where there is no motion", () => {
  const states = statesOf("frozenlake", "Down");
  expect(filmedAt(states, 225)).toEqual({ state: states[1], from: states[0], way: 0.5 });
  expect(filmedAt(states, 450).from).toBeNull();
});
