// `judge --measure`: how often a judge is right about claims whose answers are known.
import type { RunConfig } from "../config/run-config.ts";
import { ConfigError } from "../core/errors.ts";
import { listed, message, setting, value } from "../core/message.ts";
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
import { measureNeighbours } from "./neighbour-cases.ts";
import { assertEffective, type Changes, changed, overrides, readSource } from "./source.ts";
import { measureWorlds } from "./world-cases.ts";

/** Prints the table. The exit code is 1 if the judge gave no verdict at all. */
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
  if (out !== undefined) await writeInto(out, lines.join(""));
  const costs = spent();
  io.out(values.has("json") ? toJson(config, measured, costs) : report(config, measured, costs));
  return measured.confusion.notJudged < judgeCases.length ? 0 : 1;
}

/** The known answers are YES or NO, so the rubric scores by default. */
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
  const names = (["rule", "llm", "recorded"] as const).map((id) => value("judge.name", id));
  throw new ConfigError(
    "invalid_config",
    message`${setting("judge.name")} is ${value("judge.name", "off")}, so there is nothing to measure.`,
    message`Use ${listed(names, "or")}.`,
  );
}

/** Settings outside of judge that decide how a claim is scored. */
const SCORING = ["reward.judge_scoring", "reward.rubric_tolerance"];

const assertOfJudge = (changes: Changes): void =>
  assertEffective(
    changes,
    (path) => path.startsWith("judge.") || SCORING.includes(path),
    "this does not affect how a judge is measured",
    message`Set values of judge, ${listed(SCORING.map(setting), "or")}.`,
  );

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
    ...ruleLines("Worlds", measureWorlds()),
    ...ruleLines("Neighbours", measureNeighbours()),
  ].join("\n");
}

/** What a rule decides, whichever judge is measured. */
function ruleLines(title: string, measured: Measured & { claims: number }): string[] {
  return [
    `\n${title}: a rule, whichever judge a run has, ${measured.claims} claims:\n`,
    measuredTable(measured),
    ...disagreementLines(measured),
  ];
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
    worlds: measureWorlds(),
    neighbours: measureNeighbours(),
  });
}
