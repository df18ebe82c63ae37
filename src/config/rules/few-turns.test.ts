import { expect, test } from "vitest";
import { plainText } from "../../core/message.ts";
import { presets } from "../presets.ts";
import { RunConfig } from "../run-config.ts";
import { fewTurns } from "./few-turns.ts";

const said = (config: object) => {
  const few = fewTurns(RunConfig.parse(config));
  return few && `${plainText(few.message)} ${plainText(few.hint)}`;
};
const rooms = (count: number) => ({ name: "spatial-gym", config: { rooms: count } });

test("two rooms of SpatialGym in few turns are named with the setting, its value and the remedy", () => {
  expect(said({ env: rooms(2), rollout: { max_turns: 5 } })).toMatch(
    /^rollout\.max_turns is 5, but a level of SpatialGym .* about 10 turns, .* Set rollout\.max_turns to at least 10\.$/,
  );
  expect(said({ env: rooms(2), rollout: { max_turns: 10 } })).toBeNull();
  expect(said({ env: rooms(1), rollout: { max_turns: 5 } })).toBeNull();
});

test("further environments have turns of their own", () => {
  expect(said({ envs: { gym: { ...rooms(2), max_turns: 10 } }, rollout: { max_turns: 5 } })).toBeNull();
  expect(said({ envs: { gym: rooms(2) }, rollout: { max_turns: 5 } })).toMatch(
    /^envs\.gym\.max_turns is 5, .* Set envs\.gym\.max_turns to at least 10\.$/,
  );
});

test("no preset has too few", () => {
  for (const { config } of presets.all) expect(fewTurns(config)).toBeNull();
});
