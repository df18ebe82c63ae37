import { expect, test } from "vitest";
import { applyChanges } from "./changes.ts";
import { checkedRunConfig } from "./check.ts";
import {
  afterSftOf,
  isValidationDue,
  sftEndedWith,
  sftUpdates,
  totalUpdates,
  validationsLeft,
} from "./run-length.ts";

const config = (test_freq: number, total_updates = 10) =>
  checkedRunConfig({
    sft: { total_updates: 6, one_turn_updates: 0 },
    trainer: { total_updates, test_freq },
  });

test("a run that starts from a checkpoint has SFT only where that is wanted", () => {
  const updates = (init_checkpoint: string, after_checkpoint: boolean) =>
    sftUpdates(
      checkedRunConfig({
        sft: { total_updates: 7, one_turn_updates: 0, after_checkpoint },
        trainer: { init_checkpoint },
      }),
    );
  expect(updates("", false)).toBe(7);
  expect(updates("frozenlake-nano-warmup", false)).toBe(0);
  expect(updates("frozenlake-nano-warmup", true)).toBe(7);
});

test("a validation follows every test_freq updates of PPO, and the last one", () => {
  const due = (every: number) => {
    const run = config(every);
    return Array.from({ length: 17 }, (_, update) => update).filter((update) => isValidationDue(run, update));
  };
  expect(due(4)).toEqual([10, 14, 16]);
  expect(due(5)).toEqual([11, 16]);
  expect(due(0)).toEqual([16]);
});

test("a run without PPO is validated once, after SFT or as it starts", () => {
  const due = (run: ReturnType<typeof config>) =>
    [0, 1, 5, 6].filter((update) => isValidationDue(run, update));
  expect(due(config(4, 0))).toEqual([6]);
  const { trainer, ...others } = config(4, 0);
  expect([0, 5, 6].map((update) => validationsLeft(config(4, 0), update, -1))).toEqual([1, 1, 1]);
  expect(validationsLeft(config(4, 0), 6, 6)).toBe(0);
  expect(due({ ...others, trainer: { ...trainer, init_checkpoint: "frozenlake-nano-warmup" } })).toContain(0);
});

test.each([
  ["at the start of PPO", 4, 6, 6, 3],
  ["between two", 4, 12, 10, 2],
  ["after an update whose validation is to come", 4, 14, 10, 2],
  ["after an update whose validation was made", 4, 14, 14, 1],
  ["at the end, before the last one", 4, 16, 14, 1],
  ["at the end, after the last one", 4, 16, 16, 0],
  ["with one at the end only", 0, 8, 6, 1],
  ["after going back behind one that was made", 4, 12, 14, 2],
])("validations left %s", (_, every, update, validated, left) => {
  expect(validationsLeft(config(every), update, validated)).toBe(left);
});

test("a run beyond its total has its final validation left", () => {
  expect(validationsLeft(config(5, 2), 12, 11)).toBe(1);
  expect(validationsLeft(config(5, 2), 12, 12)).toBe(0);
});

test("are as many as a walk through the updates meets", () => {
  for (const every of [0, 1, 3, 4, 25]) {
    const run = config(every);
    for (let update = 6; update <= 18; update++)
      for (let validated = 6; validated <= update; validated++) {
        const last = Math.max(16, update);
        const met = Array.from({ length: last - update + 1 }, (_, i) => update + i).filter(
          (at) => at > validated && isValidationDue(run, at),
        );
        expect(validationsLeft(run, update, validated)).toBe(met.length);
      }
  }
});

test("a run whose SFT ended sooner is as long as its SFT was", () => {
  const tested = (target_accuracy: number) => {
    const { sft, ...rest } = config(5);
    return { ...rest, sft: { ...sft, target_accuracy } };
  };
  const ended = applyChanges(tested(0.98), sftEndedWith(tested(0.98), 4));
  expect(afterSftOf(tested(0.98), ended)).toEqual(ended);
  expect(totalUpdates(afterSftOf(tested(0.98), ended))).toBe(14);
  // Without a criterion a shorter SFT is another one, and a longer one never is the end of it.
  for (const [wanted, done] of [
    [tested(0), ended],
    [ended, tested(0.98)],
  ] as const)
    expect(afterSftOf(wanted, done)).toEqual(wanted);
});
