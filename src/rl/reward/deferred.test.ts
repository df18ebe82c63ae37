import { expect, test } from "vitest";
import { episodeMean, withEpisodeFormat } from "./deferred.ts";

const turn = (task: number, claim: number) => ({
  rewards: { task, format: 0.1, state_estimation: claim, transition_modeling: claim / 2 },
  reward: task + 0.1 + 1.5 * claim,
});

test("claims of a short episode earn as much as those of a long one that are equally right", () => {
  const short = episodeMean([turn(0, 0.2), turn(1, 0.4)], 4);
  expect(short.map(({ rewards }) => rewards.state_estimation)).toEqual([0.4, 0.8]);
  expect(short.map(({ rewards }) => [rewards.task, rewards.format])).toEqual([
    [0, 0.1],
    [1, 0.1],
  ]);
  expect(short[1]!.reward).toBeCloseTo(1 + 0.1 + 0.8 + 0.4);
  // The mean claim is 0.3, times 4 turns.
  const sum = short.reduce((total, { rewards }) => total + rewards.state_estimation!, 0);
  expect(sum).toBeCloseTo(0.3 * 4);
});

test("an episode that used all of its turns is left as it is", () => {
  const full = [turn(0, 0.2), turn(0, 0)];
  expect(episodeMean(full, 2).map(({ reward }) => reward)).toEqual(
    full.map(({ reward }) => expect.closeTo(reward)),
  );
});

const replied = (formatOk: boolean, reward: number) => ({
  parsed: { formatOk },
  rewards: { task: reward },
  reward,
});

test("the form of an episode is paid once, with its success", () => {
  const [first, last] = withEpisodeFormat([replied(true, 0.01), replied(true, 1.01)], true, 0.5);
  expect(first).toEqual({ rewards: { task: 0.01 }, reward: 0.01 });
  expect(last).toEqual({ rewards: { task: 1.01, episode_format: 0.5 }, reward: 1.51 });
});

test.each([
  ["an earlier reply was malformed", [false, true], true],
  ["its last reply was malformed", [true, false], true],
  ["it failed", [true, true], false],
])("the form of an episode earns nothing where %s", (_, forms, success) => {
  const turns = forms.map((formatOk) => replied(formatOk, 1));
  expect(withEpisodeFormat(turns, success, 0.5)).toEqual([
    { rewards: { task: 1 }, reward: 1 },
    { rewards: { task: 1, episode_format: 0 }, reward: 1 },
  ]);
});
