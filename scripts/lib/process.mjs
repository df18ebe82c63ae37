// Running other programs from the scripts. Node built-ins only: this runs before anything is installed.

import { spawn, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The folder that holds package.json. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** An error whose message is meant for the person at the keyboard: print it without a stack. */
export class ScriptError extends Error {}

/**
 * Runs a program in the project folder and resolves to its exit code. The program writes to this terminal; with a `label`,
 * which names the lines of programs that run at the same time, line by line.
 */
export function run(program, args, { env = {}, shell = false, label = "" } = {}) {
  return new Promise((resolve) => {
    const output = label ? "pipe" : "inherit";
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", output, output],
      shell,
    });
    for (const stream of label ? [child.stdout, child.stderr] : [])
      createInterface({ input: stream }).on("line", (line) => console.log(`${label} │ ${line}`));
    child.on("error", (error) => {
      console.error(`Could not start ${program}: ${error.message}`);
      resolve(127);
    });
    // "close" comes when the output has ended too.
    child.on("close", (code, signal) => {
      if (signal) console.error(`${program} was ended by ${signal}.`);
      resolve(code ?? 1);
    });
  });
}

/** Runs npm: the very npm that started this script when there is one, otherwise the one on the PATH. */
export function runNpm(args, options = {}) {
  const self = process.env.npm_execpath;
  if (self?.endsWith("js")) return run(process.execPath, [self, ...args], options);
  // On Windows npm is a .cmd file, which only a shell can start.
  return run("npm", args, { ...options, shell: process.platform === "win32" });
}

/** True when `program --version` starts and ends well. */
export function answersVersion(program) {
  return spawnSync(program, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;
}

/** Runs a script's main function: prints a ScriptError as its message, any other error with its stack. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    console.error(error instanceof ScriptError ? `\n${error.message}` : error);
    // Not `exitCode`: an open server or GPU must not keep a failed command alive.
    process.exit(1);
  }
}
