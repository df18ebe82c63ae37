// Why an advantage is not return minus value.
import type { RunConfig } from "../../config/run-config.ts";
import { estimators } from "../../rl/advantage/index.ts";

type Level = RunConfig["algorithm"]["adv_norm_mean_level"];

const OVER: Readonly<Record<Exclude<Level, "none">, string>> = {
  batch: "the update's batch",
  group: "the episodes of its level",
};

const SO = "That is why it does not equal return − value.";

/** What whitening did to a run's advantages, in a sentence; empty where they are the estimator's own. */
export function whiteningText({ algorithm }: Pick<RunConfig, "algorithm">): string {
  const { adv_estimator: id, adv_norm_mean_level: mean, adv_norm_std_level: std } = algorithm;
  const over = estimators.all.find((known) => known.id === id)?.whitenOver;
  if (!algorithm.whiten_advantages || over === "none") return "";
  if (mean === std)
    return mean === "none"
      ? ""
      : `Whitened over ${OVER[mean]}: the mean is subtracted, and the rest is divided by the standard deviation. ${SO}`;
  const steps = [
    ...(mean === "none" ? [] : [`the mean over ${OVER[mean]} is subtracted`]),
    ...(std === "none"
      ? []
      : [
          `${mean === "none" ? "advantages are" : "the rest is"} divided by the standard deviation over ${OVER[std]}`,
        ]),
  ];
  return `Whitened: ${steps.join(", and ")}. ${SO}`;
}
