// A policy whose replies come from a function that may look at the live game. Where the words come from is the caller's
// business: this layer knows no prompts and no tags.
import { type Rng, rng } from "../../core/rng.ts";
import type { Env } from "../../envs/env.ts";
import type { Completion, GenerateRequest, Policy, Sampling } from "../policy.ts";

/** What a script may depend on beside the game. */
export interface ScriptContext {
  /** Reply of this episode, from 0; summaries do not count. */
  turn: number;
  /** Random numbers of this episode and turn: a function of the sampling seed and the episode's key, not of the slot. */
  random: Rng;
}

/** The token ids of a reply, the end-of-turn token included. It must not change the game. */
export type Script = (env: Env, context: ScriptContext) => Int32Array;

/** What a scripted policy may have besides its script. */
interface ScriptedOptions {
  /** Writes summaries; by default the script does. */
  summarise?: Script;
  /** Awaited before the games of a turn are asked; it must not change them. */
  prepare?: ((envs: readonly Env[]) => Promise<void>) | undefined;
}

/** A policy that writes what the script says. Replies longer than `maxTokens` are cut; log-probabilities are 0. */
export function scriptedPolicy(
  script: Script,
  { summarise = script, prepare }: ScriptedOptions = {},
): Policy {
  let turns: number[] = [];
  let envs: readonly Env[] = [];
  const reply = (request: GenerateRequest, { seed, maxTokens }: Sampling): Completion => {
    const { slot, rngKey, asksSummary } = request;
    const turn = asksSummary ? turns[slot] : turns[slot]++;
    const random = rng(seed)
      .fork(`script ${rngKey}`)
      .fork(`${asksSummary ? "summary" : "turn"} ${turn}`);
    const write = asksSummary ? summarise : script;
    const ids = write(envs[slot], { turn, random }).slice(0, maxTokens);
    return { ids, logprobs: new Float32Array(ids.length) };
  };
  return {
    kind: "scripted",
    begin(count, games = []) {
      envs = games;
      turns = new Array<number>(count).fill(0);
    },
    async generate(requests, sampling, signal) {
      signal?.throwIfAborted();
      await prepare?.(requests.map(({ slot }) => envs[slot]));
      signal?.throwIfAborted();
      return requests.map((request) => reply(request, sampling));
    },
  };
}
