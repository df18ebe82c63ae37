import type { RunConfig } from "../config/run-config.ts";
import { ConfigError } from "../core/errors.ts";
import { judgeCases } from "../judge/cases.ts";
import { accuracyOf, type Measured, measuredTable, measureJudge } from "../judge/measure.ts";
import { recording } from "../judge/recording.ts";
import type { Metrics } from "../rl/metrics.ts";
import { openJudging } from "../run/judging.ts";
import type { Values } from "./args.ts";
import { writeInto } from "./disk.ts";
import type { Io } from "./io.ts";
import { nodeJudgeHost } from "./judge-host.ts";
import { consentOf } from "./judge-options.ts";
import { changed, overrides, readSource } from "./source.ts";

/** Prints the table; the exit code is 1 when nothing was judged. */
export async function measure(values: Values, io: Io): Promise<number> {
  const config = await configOf(values);
  const { evaluation, spent } = await openJudging(
    config,
    nodeJudgeHost({ consent: consentOf(values, io), say: (line) => io.err(`${line}\n`) }),
  );
  const lines: string[] = [];
  const judge = recording(evaluation, (line) => lines.push(`${line}\n`));
  const measured = await measureJudge(judge, judgeCases);
  const out = values.text("out");
  if (out !== undefined) {
    await writeInto(out, lines.join(""));
  }
  const costs = spent();
  io.out(values.has("json") ? toJson(config, measured, costs) : report(config, measured, costs));
  return measured.confusion.notJudged < judgeCases.length ? 0 : 1;
}

/** The answers are YES or NO, so the rubric scores by default. */
async function configOf(values: Values): Promise<RunConfig> {
  const changes = overrides(values);
  const name = values.text("judge");
  const config = changed(await readSource(values), {
    ...(!values.has("config") && { "reward.judge_scoring": "rubric" }),
    ...(name !== undefined && { "judge.name": name }),
    ...changes,
  });
  assertOfJudge(changes);
  if (config.judge.name !== "off") return config;
  throw new ConfigError(
    "invalid_config",
    'judge.name is "off", so there is nothing to measure.',
    'Use "rule", "llm" or "recorded".',
  );
}

/** Any other setting would change nothing here. */
function assertOfJudge(changes: Readonly<Record<string, unknown>>): void {
  const scored = ["reward.judge_scoring", "reward.rubric_tolerance"];
  const idle = Object.keys(changes).find((path) => !path.startsWith("judge.") && !scored.includes(path));
  if (idle === undefined) return;
  throw new ConfigError(
    "invalid_config",
    `${idle} is ${JSON.stringify(changes[idle])}; this does not affect how a judge is measured.`,
    `Set values of judge, ${scored.join(" or ")}.`,
  );
}

const titleOf = ({ judge, reward }: RunConfig): string => {
  const of = { llm: ` ${judge.model}`, recorded: ` ${judge.recording}`, rule: "", off: "" }[judge.name];
  return `Judge ${judge.name}${of}, scoring ${reward.judge_scoring}, ${judgeCases.length} claims`;
};

function report(config: RunConfig, measured: Measured, costs: Metrics): string {
  const { right, wrong } = measured.meanScore;
  const score = (mean: number) => (Number.isNaN(mean) ? "–" : mean.toFixed(3));
  return [
    `${titleOf(config)}:\n`,
    measuredTable(measured),
    `\nMean score: ${score(right)} of claims that are right, ${score(wrong)} of those that are wrong.`,
    ...costLines(costs),
    ...disagreementLines(measured),
  ].join("\n");
}

function costLines(costs: Metrics): string[] {
  const requests = costs["judge/requests"];
  if (requests === undefined) return [];
  const { "judge/retries": retries, "judge/tokens": tokens, "judge/cost": cost } = costs;
  return [`${requests} requests (${retries} of them retries), ${tokens} tokens, $${cost!.toFixed(4)}.`];
}

function disagreementLines({ disagreements }: Measured): string[] {
  const wrong = disagreements.filter(({ said }) => said !== "not judged");
  const failures = new Map<string, number>();
  for (const { said, reason } of disagreements)
    if (said === "not judged") failures.set(reason, (failures.get(reason) ?? 0) + 1);
  return [
    ...(wrong.length > 0 ? ["\nDisagreements:\n"] : []),
    ...wrong.map(({ text, expected, said }) => `- “${text}” Expected ${expected}, it says ${said}.`),
    ...(failures.size > 0 ? ["\nWithout a verdict:\n"] : []),
    ...[...failures].map(([reason, count]) => `- ${count} claims. ${reason}`),
  ];
}

function toJson({ judge, reward }: RunConfig, measured: Measured, costs: Metrics): string {
  const { model, recording: file } = judge;
  return JSON.stringify({
    judge: judge.name,
    ...(judge.name === "llm" && { model }),
    ...(judge.name === "recorded" && { recording: file }),
    scoring: reward.judge_scoring,
    claims: judgeCases.length,
    agreement: accuracyOf(measured.confusion),
    ...measured,
    ...costs,
  });
}
