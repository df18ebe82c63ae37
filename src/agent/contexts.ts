// A policy whose conversations can be read again: after its weights have changed, the cached keys and values of earlier tokens are
// those of the old ones.
import type { Frame } from "../core/types.ts";
import type { Completion, GenerateRequest, Policy, Sampling } from "../policy/policy.ts";

/** All that one conversation has shown to the policy, and what the policy wrote. */
interface Context {
  ids: number[];
  /** 1 = written by the policy. */
  responseMask: number[];
  images: Frame[];
  /** Whether the policy still has it in its cache. */
  isCached: boolean;
}

const empty = (): Context => ({ ids: [], responseMask: [], images: [], isCached: false });

/**
 * Passes requests on to a policy. The first request of a conversation after `begin` carries all of its earlier tokens and pictures
 * as a fresh context, so that the policy computes them again.
 */
export class Contexts implements Policy {
  private readonly kept = new Map<number, Context>();

  constructor(private readonly policy: Policy) {}

  get kind() {
    return this.policy.kind;
  }

  /** Empties the policy's cache. The conversations go on. */
  begin(count: number): void {
    this.policy.begin(count);
    for (const context of this.kept.values()) context.isCached = false;
  }

  /** Forgets the conversation of a slot, for the next one there. */
  renew(slot: number): void {
    this.kept.delete(slot);
  }

  async generate(
    requests: readonly GenerateRequest[],
    sampling: Sampling,
    signal?: AbortSignal,
  ): Promise<Completion[]> {
    const whole = requests.map((request) => this.extend(request));
    const replies = await this.policy.generate(whole, sampling, signal);
    for (const [i, { ids }] of replies.entries()) {
      const context = this.contextOf(requests[i]!.slot);
      append(context, ids, 1);
      context.isCached = true;
    }
    return replies;
  }

  /** Notes a request; returns it with everything that the policy has to read. */
  private extend(request: GenerateRequest): GenerateRequest {
    if (request.fresh) this.renew(request.slot);
    const context = this.contextOf(request.slot);
    append(context, request.promptIds, request.responseMask ?? 0);
    context.images.push(...request.images);
    if (context.isCached) return request;
    return {
      ...request,
      promptIds: Int32Array.from(context.ids),
      responseMask: Uint8Array.from(context.responseMask),
      images: [...context.images],
      fresh: true,
    };
  }

  private contextOf(slot: number): Context {
    const context = this.kept.get(slot) ?? empty();
    this.kept.set(slot, context);
    return context;
  }
}

function append(context: Context, ids: Int32Array, own: Uint8Array | 0 | 1): void {
  context.ids.push(...ids);
  context.responseMask.push(...Array.from(ids, (_, t) => (typeof own === "number" ? own : own[t]!)));
}
