// What a judge gets on the command line: files, keys from environment variables, and a recording beside the run.
import { appendFileSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError } from "../../core/errors.ts";
import { platformPorts } from "../judge-ports.ts";
import type { JudgeHost } from "../judging.ts";

/** Verdicts of a model are kept under this name in the folder of the run. */
export const VERDICTS = "verdicts.jsonl";

/** The host of judges; with a folder, verdicts that were paid for are kept in it. */
export function nodeJudgeHost(folder?: string, env: NodeJS.ProcessEnv = process.env): JudgeHost {
  return {
    ports: platformPorts,
    readText,
    key: (name) => env[name],
    missingKey: (name) => ({
      problem: `${name} is not set`,
      remedy: `Set the environment variable ${name}, name another with judge.api_key_env`,
    }),
    ...(folder !== undefined && { record: appendTo(join(folder, VERDICTS)) }),
  };
}

function appendTo(path: string): (line: string) => void {
  return (line) => {
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, `${line}\n`);
  };
}

async function readText(name: string): Promise<string> {
  try {
    return await readFile(name, "utf8");
  } catch (cause) {
    const message = `${name} cannot be read: ${(cause as Error).message.split(",")[0]}.`;
    throw new ConfigError("invalid_config", message, "Check judge.recording.", { cause });
  }
}
