// Whether an episode is cut before a level can be played well. It is allowed, because an answer may be guessed, and a warning says so.
import { type Message, message, setting, value } from "../../core/message.ts";
import { envs } from "../../envs/registry.ts";
import { furtherEntries } from "../entries.ts";
import type { RunConfig } from "../run-config.ts";

/** The first environment whose episodes have fewer turns than its levels take, and what to do about it; null where there is none. */
export function fewTurns(config: RunConfig): { message: Message; hint: Message } | null {
  const further = furtherEntries(config).map(({ name, config: own }) =>
    fewTurnsIn(own, `envs.${name}.max_turns`),
  );
  return [fewTurnsIn(config, "rollout.max_turns"), ...further].find((few) => few !== null) ?? null;
}

function fewTurnsIn({ env, rollout }: RunConfig, path: string) {
  const spec = envs.all.find(({ id }) => id === env.name);
  const options = spec?.config.safeParse(env.config);
  const needed = options?.success ? (spec?.turnsNeeded?.(options.data) ?? 0) : 0;
  if (!spec || needed <= rollout.max_turns) return null;
  return {
    message: message`${setting(path)} is ${value(path, rollout.max_turns)}, but a level of ${spec.title} with these options takes about ${needed} turns, so most episodes end before the agent has seen enough.`,
    hint: message`Set ${setting(path)} to at least ${needed}.`,
  };
}
