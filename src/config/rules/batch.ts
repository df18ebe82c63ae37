// Episodes, groups, sequences and tokens of an update.
import { message, setting, value } from "../../core/message.ts";
import { filters } from "../../rl/filter/index.ts";
import { mostSamples, separateSequences } from "../batch-size.ts";
import type { RunConfig } from "../run-config.ts";
import { estimatorOf } from "./registered.ts";
import { closest, divides, divisors, problem, type Rule, someOf } from "./rule.ts";

/** Tokens of a turn besides image and reply: who speaks, and the number of the turn. */
export const TURN_OVERHEAD = 4;

const BATCH = "rollout.train_batch_size";

const minibatchOf =
  (part: "actor" | "critic"): Rule =>
  ({ [part]: { ppo_mini_batch_size: size }, rollout }) => {
    const most = mostSamples({ rollout });
    const samples = separateSequences({ rollout })
      ? "sequences that an update can have"
      : "episodes of an update";
    return size <= most
      ? null
      : problem(
          `${part}.ppo_mini_batch_size`,
          `it must not exceed the ${most} ${samples}`,
          message`Use at most ${most}, or raise ${setting(BATCH)}.`,
          most,
        );
  };

const groups: Rule = ({ rollout: { n_trajectory: size, train_batch_size: batch } }) =>
  divides(size, batch)
    ? null
    : problem(
        "rollout.n_trajectory",
        `it must divide the ${batch} episodes of an update`,
        message`Use one of ${someOf(divisors(batch))}, or another value of ${setting(BATCH)}.`,
        closest(divisors(batch), size),
      );

/** A group size above 1, near the usual 4. */
export const comparable = (batch: number): number | undefined =>
  closest(
    divisors(batch).filter((size) => size > 1),
    4,
  );

const comparedGroups: Rule = ({ algorithm, rollout: { n_trajectory: size, train_batch_size: batch } }) => {
  const filter = filters.all.find(({ id }) => id === algorithm.filter);
  const comparing = estimatorOf(algorithm)?.comparesGroups
    ? value("algorithm.adv_estimator", algorithm.adv_estimator)
    : filter?.comparesGroups && value("algorithm.filter", filter.id);
  return size > 1 || !comparing
    ? null
    : problem(
        "rollout.n_trajectory",
        message`${comparing} compares the episodes of one level, so there must be at least 2`,
        message`Use 4 or 8, or another ${setting("algorithm.adv_estimator")} and no ${setting("algorithm.filter")}.`,
        comparable(batch),
      );
};

/** A reply is trained in the context that it was sampled from, or its ratio would be that of another policy. */
const wholeHistory: Rule = ({ trainer, rollout: { window_size: window, max_turns: turns } }) =>
  trainer.harness !== "concat" || window >= turns - 1
    ? null
    : problem(
        "rollout.window_size",
        `an episode of ${turns} turns is trained as one sequence, so each reply must be sampled with all of it in view`,
        message`Use at least ${turns - 1}, lower ${setting("rollout.max_turns")}, or set ${setting("trainer.harness")} to ${value("trainer.harness", "no_concat")} for a sequence per turn.`,
        turns - 1,
      );

/** Turns of the longest sequence that the model reads. */
const turnsInSight = ({ trainer, rollout }: RunConfig): number =>
  trainer.harness === "no_concat" ? Math.min(rollout.max_turns, rollout.window_size + 1) : rollout.max_turns;

/**
 * A sequence is not split over micro-steps: attention needs all of it at once. This is an estimate, since the words of an
 * episode are not known here; the run makes its micro-steps larger where that takes more. It must not
 * depend on values that can change during a run, because this one cannot be raised then.
 */
const episodeFits: Rule = (config, picture) => {
  // What closes a conversation limits it.
  if (!picture || config.trainer.harness === "compact") return null;
  const { rollout, model, trainer } = config;
  const image = (picture.rows * picture.cols) / model.pixel_shuffle ** 2;
  const turns = turnsInSight(config);
  // AReaL's workflow shows the images once.
  const images = picture.most * (rollout.workflow === "areal" ? 1 : turns);
  const longest = images * image + turns * (rollout.response_length + TURN_OVERHEAD);
  if (longest <= trainer.micro_batch_tokens) return null;
  const isConcat = trainer.harness === "concat";
  const found = problem(
    "trainer.micro_batch_tokens",
    `the longest ${isConcat ? "episode" : "sequence"} has about ${Math.ceil(longest)} tokens and must fit into one micro-batch`,
    message`Use at least ${Math.ceil(longest)}, or lower ${setting(isConcat ? "rollout.max_turns" : "rollout.window_size")} or ${setting("rollout.response_length")}.`,
    Math.ceil(longest),
  );
  return { ...found, reads: ["trainer.harness", "rollout.workflow", "model.pixel_shuffle"] };
};

export const batchRules: readonly Rule[] = [
  minibatchOf("actor"),
  minibatchOf("critic"),
  groups,
  comparedGroups,
  wholeHistory,
  episodeFits,
];
