// Requests that hold a whole conversation, for a policy that keeps conversations itself and is sent only what is new.
import type { Frame } from "../../core/types.ts";
import type { Env } from "../../envs/env.ts";
import type { GenerateRequest, Policy, Sampling } from "../../policy/policy.ts";
import { inputGap, type Response } from "./sequence.ts";
import type { Request } from "./workflow.ts";

/** A request with the identity of its conversation. */
export interface ContextRequest extends Request, Pick<GenerateRequest, "slot" | "rngKey"> {}

/** Continues whole conversations. */
export interface ContextEngine {
  /** One response for each request, in order. @throws RangeError when a request does not go on where its conversation stood. */
  generate(requests: readonly ContextRequest[], signal?: AbortSignal): Promise<Response[]>;
}

/** A conversation as the policy was given it and wrote it. */
interface Context {
  ids: number[];
  images: readonly Frame[];
}

/** Starts a conversation of a policy about each game; `version` is the number of updates that it has behind it. */
export function contextEngine(
  policy: Policy,
  games: readonly Env[],
  { sampling, version }: { sampling: Sampling; version: number },
): ContextEngine {
  policy.begin(games.length, games);
  const contexts: Context[] = games.map(() => ({ ids: [], images: [] }));
  return {
    async generate(requests, signal) {
      const appended = requests.map((request) => extend(contexts[request.slot] as Context, request));
      const completions = await policy.generate(appended, sampling, signal);
      return requests.map(({ slot }, i) => {
        const { ids, logprobs } = completions[i]!;
        const context = contexts[slot] as Context;
        const inputIds = Int32Array.from(context.ids);
        context.ids.push(...ids);
        return { inputIds, ids, logprobs, versions: new Int32Array(ids.length).fill(version) };
      });
    },
  };
}

/** Tells the policy what is new, and notes that it knows it now. */
function extend(context: Context, { slot, rngKey, inputIds, images }: ContextRequest): GenerateRequest {
  const promptIds = inputGap(context.ids, inputIds);
  const fresh = images.slice(context.images.length);
  context.ids.push(...promptIds);
  context.images = images;
  return { slot, rngKey, promptIds, images: fresh };
}
