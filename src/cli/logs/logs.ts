// `logs`: the log of a run for other tools: TensorBoard, Trackio, and veRL's dumps of episodes.
import { join } from "node:path";
import type { Frame } from "../../core/types.ts";
import { loadHistory } from "../../supervision/event-log.ts";
import { UsageError, type Values } from "../args.ts";
import type { Command } from "../command.ts";
import { writeInto } from "../disk.ts";
import { type Io, warn } from "../io.ts";
import { readEpisodes } from "../run-folder/saved-episodes.ts";
import { storedRun } from "../run-folder/stored-run.ts";
import { dumpFiles } from "./dumps.ts";
import { pngOf } from "./png.ts";
import { csvOf, type LoggedRow, loggedRows } from "./rows.ts";
import { eventFile } from "./tensorboard.ts";

type Target = "tensorboard" | "trackio" | "episodes";
const TARGETS: readonly Target[] = ["tensorboard", "trackio", "episodes"];

export const logsCommand: Command = {
  summary: "Write the log of a run for TensorBoard or Trackio, or its episodes as files.",
  details: [
    "tensorboard: an event file; tensorboard --logdir <folder> shows it. trackio: metrics.csv, which Trackio reads:",
    "  python -c \"import trackio; trackio.import_csv('metrics.csv', project='studio')\"",
    "episodes: rollout_data/<step>.jsonl and validation/<step>.jsonl, as veRL dumps them, from what the run kept",
    "(train --episodes all keeps every episode); --images adds a PNG for every picture.",
    "",
    "  npm run logs -- run/ --as tensorboard --out run/tensorboard",
  ].join("\n"),
  files: "<run>",
  options: {
    as: { value: "<target>", help: `One of ${TARGETS.join(", ")}.` },
    out: { value: "<folder>", help: "Where the files go. Default: the run's own folder." },
    images: { help: "With --as episodes: the pictures, too." },
  },
  async run(values, io) {
    const [folder] = values.files;
    if (folder === undefined || values.files.length > 1)
      throw new UsageError("logs needs the folder of one run.", "For example: logs run/ --as tensorboard");
    const target = targetOf(values.text("as"));
    if (values.has("images") && target !== "episodes")
      throw new UsageError(`--images has no effect with --as ${target}.`, "Use --as episodes.");
    const out = values.text("out") ?? folder;
    const count =
      target === "episodes"
        ? await writeEpisodes(folder, out, values, io)
        : await writeRows(folder, out, target);
    io.out(`${count} in ${out}.`);
    return 0;
  },
};

function targetOf(text: string | undefined): Target {
  const found = TARGETS.find((target) => target === text);
  if (found) return found;
  throw new UsageError(
    text === undefined ? "logs needs --as." : `--as is "${text}".`,
    `Use one of ${TARGETS.join(", ")}.`,
  );
}

async function writeRows(folder: string, out: string, target: Exclude<Target, "episodes">): Promise<string> {
  const { runId, store } = storedRun(folder);
  const rows: LoggedRow[] = loggedRows(await loadHistory(store, runId));
  if (rows.length === 0)
    throw new UsageError(`${folder} has no log of a run.`, "Name the folder that train --out wrote.");
  // TensorBoard shows every file whose name has this part.
  if (target === "tensorboard")
    await writeInto(join(out, `events.out.tfevents.${Math.floor(rows[0]!.seconds)}.studio`), eventFile(rows));
  else await writeInto(join(out, "metrics.csv"), csvOf(rows));
  return `${rows.length} rows`;
}

async function writeEpisodes(folder: string, out: string, values: Values, io: Io): Promise<string> {
  const { episodes, notice } = await readEpisodes(folder);
  if (notice) warn(io, notice);
  const files = dumpFiles(episodes, values.has("images"));
  for (const { path, content } of files) await writeInto(join(out, path), bytesOf(content));
  return `${episodes.length} episodes in ${files.length} files`;
}

/** What a file holds: text as it is, a picture as PNG. */
export const bytesOf = (content: string | Frame): string | Uint8Array =>
  typeof content === "string" ? content : pngOf(content);
