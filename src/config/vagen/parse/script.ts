// Overrides in a text: a list of them, or a shell script with one command or several, of which each has its own.
import { type KeyValue, overridesAmong } from "./overrides.ts";
import { type ShellCommand, shellCommands } from "./shell.ts";

export interface ScriptKeys {
  /** Of the training run, and of the server of environments that it uses. */
  readonly keys: readonly KeyValue[];
  /** Training runs after the first, which are not read. */
  readonly furtherRuns: number;
  /** The array of the script, such as `${BASE[@]}`, that holds the overrides of a flags file. */
  readonly flags?: string;
}

/** Whether the legacy server, which has the judge, rewards what replies say about the state. Its own default is false. */
export const SERVER_STATE_REWARD = "use_state_reward";

/** Python modules by what they start; only the first two have keys of a run. */
const MODULES = {
  server: /\bserver\.server$/,
  training: /\b(main_ppo|training\.main)$/,
  other: /\b(create_dataset|evaluation|evaluate|run_eval|run_inference)\b/,
} as const;

/** Keys of the server need no dot. */
const SERVER_OVERRIDE = /^(?:\+{0,2})([A-Za-z_][\w.]*)=(.*)$/s;

/** Every override of a text that belongs to a training run, in order. Later ones win. */
export function readScript(text: string): ScriptKeys {
  const keys: KeyValue[] = [];
  let runs = 0;
  let flags: string | undefined;
  for (const words of shellCommands(text)) {
    const module = moduleOf(words);
    if (MODULES.training.test(module)) {
      runs++;
      flags ??= words.find((word) => /^\$\{\w+\[@\]\}$/.test(word));
    }
    if (MODULES.server.test(module)) keys.push(...serverKeys(words));
    else if (runs <= 1 && !MODULES.other.test(module)) keys.push(...overridesAmong(words));
  }
  return { keys, furtherRuns: Math.max(0, runs - 1), ...(flags !== undefined && { flags }) };
}

/** What `python -m` runs; empty where it is not used. */
function moduleOf(words: ShellCommand): string {
  const at = words.indexOf("-m");
  return at > 0 && /python[\d.]*$/.test(words[at - 1]!) ? (words[at + 1] ?? "") : "";
}

function serverKeys(words: ShellCommand): KeyValue[] {
  const given = overridesAmong(words, SERVER_OVERRIDE);
  if (given.some(({ key }) => key === SERVER_STATE_REWARD)) return given;
  return [{ key: SERVER_STATE_REWARD, shown: "use_state_reward (server's default)", value: false }, ...given];
}
