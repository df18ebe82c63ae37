// Finds the command, runs it, and turns every outcome into an exit code: 0 done, 1 failed, 2 called wrongly.
import { INIT_CHECKPOINT } from "../config/init-checkpoint.ts";
import { suggestion } from "../config/suggest.ts";
import { serializeError } from "../core/errors.ts";
import type { ExtensionSource } from "../extension/api.ts";
import { ablateCommand } from "./ablate/ablate.ts";
import { type Options, optionHelp, parseOptions, UsageError, type Values } from "./args.ts";
import { benchCommand } from "./bench.ts";
import { checkGpuCommand } from "./check-gpu.ts";
import type { Command } from "./command.ts";
import { evalCommand } from "./eval.ts";
import { exportCommand } from "./export.ts";
import { exportOnnxCommand } from "./export-onnx.ts";
import { gpus } from "./gpu.ts";
import { importCommand } from "./import.ts";
import type { Io } from "./io.ts";
import { judgeCommand } from "./judge.ts";
import { logsCommand } from "./logs/logs.ts";
import { planCommand } from "./plan.ts";
import { loadHouseFiles, loadPlugins, type TryPlugin } from "./plugins.ts";
import { recordCommand } from "./record/record.ts";
import { assertNavigation } from "./source.ts";
import { trainCommand } from "./train.ts";

const commands: Readonly<Record<string, Command>> = {
  train: trainCommand,
  eval: evalCommand,
  plan: planCommand,
  ablate: ablateCommand,
  import: importCommand,
  export: exportCommand,
  "export-onnx": exportOnnxCommand,
  judge: judgeCommand,
  logs: logsCommand,
  bench: benchCommand,
  "check-gpu": checkGpuCommand,
  record: recordCommand,
};

/**
 * Runs the command line and resolves to the exit code; nothing is thrown.
 * @param tryPlugin tries a plugin before this process reads it; by default the contract is checked in this process.
 */
export async function main(argv: readonly string[], io: Io, tryPlugin?: TryPlugin): Promise<number> {
  try {
    return await dispatch(argv, io, tryPlugin);
  } catch (error) {
    return report(error, io, argv[0]);
  } finally {
    gpus.close();
  }
}

async function dispatch(
  [name, ...args]: readonly string[],
  io: Io,
  tryPlugin: TryPlugin | undefined,
): Promise<number> {
  if (name === undefined || name === "help" || name === "--help") {
    io.out(overview());
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name]! : null;
  if (!command)
    throw new UsageError(`There is no command "${name}".`, suggestion(name, Object.keys(commands)));
  if (command.options && args.includes("--help")) {
    io.out(helpOf(name, command, command.options));
    return 0;
  }
  const own = command.options ? args : [];
  const values = parseOptions(name, command.options ?? {}, own, command.files !== undefined);
  const plugins = await loadPlugins(values.list("plugin"), tryPlugin);
  if (values.has("houses")) await loadHouses(command, values, plugins, io);
  return command.run(values, io, args);
}

/** Houses may take long to read, and what became of them is printed, so the environment is checked first. */
async function loadHouses(
  command: Command,
  values: Values,
  plugins: readonly ExtensionSource[],
  io: Io,
): Promise<void> {
  // A configuration may be refused only because the houses are missing; the command says what else is wrong with it.
  const config = await command.plays?.(values).catch(() => null);
  if (config) assertNavigation(config);
  await loadHouseFiles(values.list("houses"), plugins, (line) => io.err(`${line}\n`));
}

function overview(): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(13)}${summary}`);
  return [
    "VAGEN Studio without a page.",
    "",
    ...rows,
    "",
    "<command> --help lists the options of a command.",
  ].join("\n");
}

function helpOf(name: string, { summary, details, files }: Command, options: Options): string {
  const usage = files ? [`  ${name} ${files}`, ""] : [];
  return [`${name}: ${summary}`, "", ...usage, optionHelp(options), ...(details ? ["", details] : [])].join(
    "\n",
  );
}

/** A hint with the option for what it asks for, if the command has it. In the page one clears a field. */
const withOption = (hint: string, command: string): string =>
  commands[command]?.options?.scratch ? hint.replace(CLEAR, `${CLEAR} (--scratch)`) : hint;

const CLEAR = `clear ${INIT_CHECKPOINT}`;

/** Message and hint, never a stack: `code` and values are in the message. */
function report(error: unknown, io: Io, command = ""): number {
  const isUsage = error instanceof UsageError;
  const { message, hint } = isUsage ? error : serializeError(error);
  io.err(`${io.isTty ? "\n" : ""}${message}\n${hint ? `${withOption(hint, command)}\n` : ""}`);
  return isUsage ? 2 : 1;
}
