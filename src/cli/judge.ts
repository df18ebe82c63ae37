// `judge`: how well a judge agrees with known answers, and what saved episodes earn under other weights.
import { refuseTogether, UsageError, type Values } from "./args.ts";
import type { Command } from "./command.ts";
import { judgeOptions } from "./judge-options.ts";
import { measure } from "./measure.ts";
import { housesOption, pluginOption } from "./plugins.ts";
import { rescoreRun } from "./rescore.ts";
import { sourceOptions } from "./source.ts";

export const judgeCommand: Command = {
  summary: "Measure a judge on known claims, or a run's rewards under other weights.",
  details: [
    "--measure asks the judge about claims whose answers are known (docs/judges.md), with YES or NO unless --config or",
    "--set reward.judge_scoring says otherwise. A model is asked once for each claim.",
    "--rescore uses the verdicts saved with the episodes, or with --verdicts those of a recording; nothing is",
    "played or judged again.",
    "",
    "  npm run judge -- --measure --judge llm --set judge.provider=openai --out verdicts.jsonl",
    "  npm run judge -- --rescore run/ --set reward.grounding_reward_weight=1",
    "  npm run judge -- --rescore run/ --verdicts other/verdicts.jsonl",
  ].join("\n"),
  options: {
    measure: { help: "Show how often the judge is right." },
    rescore: { value: "<run>", help: "The folder of a run; its trajectories.jsonl is read." },
    verdicts: {
      value: "<file.jsonl>",
      help: "With --rescore: verdicts in place of the saved ones; a claim without one there earns nothing.",
    },
    judge: { value: "<name>", help: "With --measure: rule, llm or recorded; the same as --set judge.name." },
    config: { value: "<file.yaml>", help: "With --measure: the judge of this configuration." },
    set: { ...sourceOptions.set!, help: "Set a single value of judge or reward. Can be repeated." },
    out: {
      value: "<file.jsonl>",
      help: "With --measure keep the verdicts, for --judge recorded; with --rescore the rewards of every turn.",
    },
    ...judgeOptions,
    ...pluginOption,
    ...housesOption,
    json: { help: "Print one JSON object." },
  },
  async run(values, io) {
    const folder = values.text("rescore");
    if (values.has("measure") === (folder !== undefined))
      throw new UsageError(
        "judge needs either --measure or --rescore.",
        "For example: --measure --judge rule, or --rescore run/",
      );
    refuseMixed(values);
    if (folder === undefined) return measure(values, io);
    return rescoreRun(folder, values, io);
  },
};

/** @throws UsageError for options of the one use of this command beside the other. */
function refuseMixed(values: Values): void {
  refuseTogether(
    values,
    "measure",
    ["verdicts"],
    "To measure a recording: --measure --judge recorded --set judge.recording=<file.jsonl>",
  );
  refuseTogether(
    values,
    "rescore",
    ["judge", "config", ...Object.keys(judgeOptions)],
    "A run keeps its configuration and its verdicts; change its weights with --set.",
  );
}
