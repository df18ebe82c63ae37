// The dictionary as a page of the documentation.
import type { Alarm } from "../../rl/alarms/alarm.ts";
import type { Metric } from "./dictionary.ts";

/** docs/metrics.md, whole. */
export function metricsMarkdown(metrics: readonly Metric[], alarms: readonly Alarm[]): string {
  const groups = [...new Set(metrics.map((metric) => metric.group))];
  const sections = groups.map((group) => {
    const rows = metrics.filter((metric) => metric.group === group).map(row);
    return `## ${group}\n\n| Metric | Meaning | Healthy | When wrong | Better | Smoothing |\n| --- | --- | --- | --- | --- | --- |\n${rows.join("\n")}\n`;
  });
  return `${HEAD}\n${sections.join("\n")}\n${ALARMS_HEAD}${alarms.map(alarmRow).join("\n")}\n`;
}

const HEAD = `# Metrics

Every number that a run logs, under the names that VAGEN and veRL use, so that curves can be compared with theirs.
This page is generated from the metric dictionary in \`src/ui/metrics/dictionary.ts\`, which the charts read too; a test
compares the two.

- \`train/measured\` is logged with the measure's name, e.g. \`train/measured/similarity\`, in a further environment of a mixture also with that
  environment's, e.g. \`train/measured/icons/similarity\`;
- \`train/success\` and \`train/score\` are logged with the environment's name, e.g. \`train/success/frozenlake\`;
  accuracies also for each entity, e.g. \`grounding_accuracy/player\`; diversity for each kind of text, e.g.
  \`diversity/echo_share/observation\` (or \`reasoning\`, \`prediction\`, \`reply\`).
- The prefix \`val/\` means: over the validation levels, which are never trained on.
- Means come with \`/min\` and \`/max\` where a spread says something.
- During SFT the episodes are demonstrations of a scripted teacher. Their success is the teacher's, and the
  studio does not draw it as the policy's.
- Smoothing is the default factor of a bias-corrected exponential moving average; 0 is never smoothed. It is applied to
  the full data and never changes what is stored.
`;

function row({ key, title, unit, definition, healthy, wrong, better, smoothing }: Metric): string {
  const name = `**${title}**${unit ? ` (${unit})` : ""}<br>\`${key}\``;
  return `| ${[name, definition, healthy, wrong, better, smoothing].join(" | ")} |`;
}

const ALARMS_HEAD = `## Alarms

After each update the studio checks the conditions of its stage, and after each validation those of validations (\`src/rl/alarms/\`, one file for each). An alarm names the update
at which it began, which may be earlier than the one at which it could be detected. It is reported once when it begins
and once when it ends, also in a resumed run. The page shows a notice, marks every chart at its beginning and lists it
among the events; the command line prints a line. An alarm changes nothing in the run.

| Alarm | Stage | What it means | What to do | Reads |
| --- | --- | --- | --- | --- |
`;

const CHECKED = { warmup: "SFT", ppo: "PPO", validation: "validations" } as const;

function alarmRow({ id, title, stage, meaning, remedy, reads }: Alarm): string {
  const names = reads.map((name) => `\`${name}${name.endsWith("/") ? "…" : ""}\``).join(", ");
  return `| **${title}**<br>\`${id}\` | ${CHECKED[stage]} | ${meaning} | ${remedy} | ${names} |`;
}
