// Single calls of a model that share a history, as AReaL's proxy workflow caches them: whose dialogue continues whose, what each
// earns, and as which rows they are trained on.
import type { ExportStyle } from "./options.ts";
import { inputGap, NO_VERSION, type Response, type TokenArrays } from "./sequence.ts";
import type { Message } from "./template.ts";

/** One call of the model. */
export interface Interaction {
  /** The dialogue that was sent. */
  readonly messages: readonly Message[];
  /** The reply as text; null while there is none. */
  readonly output: string | null;
  /** The tokens of request and reply; null while there is no reply. */
  readonly response: Response | null;
  /** What the call itself earned; null when nobody said. */
  readonly reward: number | null;
  /** `concat`: a longer dialogue's tokens begin with those of a shorter one. `hf`: they may not. */
  readonly template: "concat" | "hf";
}

/** A row to train on. */
export interface ExportedRow extends TokenArrays {
  /** Number of the call that the row ends with, from 0. */
  interaction: number;
  reward: number;
}

/** The calls of one episode. */
export interface InteractionCache {
  /** Adds a call; returns its number. */
  add(interaction: Interaction): number;
  /** Sets what a call earned. @throws RangeError for a number that does not exist, or after rewards were propagated. */
  setReward(interaction: number, reward: number): void;
  /** The earlier call whose messages and reply are the longest beginning of this one's messages; null without one. */
  parentOf(interaction: number): number | null;
  /**
   * Passes rewards backwards in the order of the calls: R_i = r_i + turnDiscount · R_{i+1}; a missing reward is 0.
   * @throws RangeError when it was done before: rewards would be counted twice.
   */
  propagate(turnDiscount: number): void;
  /**
   * `individual`: a row for every complete call. `concat`: a row for every complete call that none continues, with the tokens of
   * all that led to it. @throws RangeError for `concat` when a template rewrites earlier messages.
   */
  export(style: ExportStyle, warn?: (message: string) => void): ExportedRow[];
}

/** An empty cache. */
export function interactionCache(): InteractionCache {
  const calls: Interaction[] = [];
  let propagated = false;
  const parentOf = (child: number) => parentAmong(calls, child);
  return {
    add(interaction) {
      calls.push(interaction);
      return calls.length - 1;
    },
    setReward(interaction, reward) {
      const call = calls[interaction];
      if (!call) throw new RangeError(`There is no interaction ${interaction} among ${calls.length}.`);
      if (propagated) throw new RangeError("Rewards were propagated already.");
      calls[interaction] = { ...call, reward };
    },
    parentOf,
    propagate(turnDiscount) {
      if (propagated) throw new RangeError("Rewards were propagated already.");
      propagated = true;
      for (let i = calls.length - 1, later = 0; i >= 0; i--) {
        later = (calls[i]!.reward ?? 0) + turnDiscount * later;
        calls[i] = { ...calls[i]!, reward: later };
      }
    },
    export(style, warn = () => undefined) {
      const complete = calls.flatMap((call, i) => (call.response ? [i] : []));
      if (style === "individual")
        return complete.map((i) => exported(calls, i, rowOfCall(calls[i]!.response!)));
      checkTemplates(calls);
      const parents = new Set(complete.map(parentOf));
      const leaves = complete.filter((i) => !parents.has(i));
      return leaves.map((i) => exported(calls, i, rowOfPath(calls, i, warn)));
    },
  };
}

const exported = (calls: readonly Interaction[], interaction: number, row: TokenArrays): ExportedRow => ({
  ...row,
  interaction,
  reward: calls[interaction]?.reward ?? 0,
});

const isBeginning = (part: readonly Message[], whole: readonly Message[]): boolean =>
  part.length < whole.length &&
  part.every(({ role, content }, i) => whole[i]!.role === role && whole[i]!.content === content);

/** A call's messages with its reply; null while there is none. */
const dialogueOf = ({ messages, output }: Interaction): Message[] | null =>
  output === null ? null : [...messages, { role: "assistant", content: output }];

function parentAmong(calls: readonly Interaction[], child: number): number | null {
  const { messages } = calls[child]!;
  let [parent, longest] = [null as number | null, 0];
  for (const [i, call] of calls.slice(0, child).entries()) {
    const dialogue = dialogueOf(call);
    if (!dialogue || dialogue.length <= longest || !isBeginning(dialogue, messages)) continue;
    [parent, longest] = [i, dialogue.length];
  }
  return parent;
}

function checkTemplates(calls: readonly Interaction[]): void {
  const at = calls.findIndex(({ template }) => template !== "concat");
  if (at < 0) return;
  throw new RangeError(
    `export_style "concat" needs the concat template, but interaction ${at} has "${calls[at]!.template}", which may rewrite earlier messages. Use export_style "individual".`,
  );
}

/** What was sent as context, the reply as sampled. */
const rowOfCall = ({ inputIds, ids, logprobs, versions }: Response): TokenArrays =>
  withReply(contextRow(inputIds), { ids, logprobs, versions });

const contextRow = (ids: Int32Array): TokenArrays => ({
  ids,
  lossMask: new Uint8Array(ids.length),
  logprobs: new Float32Array(ids.length),
  versions: new Int32Array(ids.length).fill(NO_VERSION),
});

const withReply = (row: TokenArrays, reply: Omit<Response, "inputIds">): TokenArrays =>
  joined(row, {
    ...reply,
    lossMask: new Uint8Array(reply.ids.length).fill(1),
  });

const joined = (a: TokenArrays, b: TokenArrays): TokenArrays => ({
  ids: Int32Array.of(...a.ids, ...b.ids),
  lossMask: Uint8Array.of(...a.lossMask, ...b.lossMask),
  logprobs: Float32Array.of(...a.logprobs, ...b.logprobs),
  versions: Int32Array.of(...a.versions, ...b.versions),
});

/** The path from the first call to this one: the parents' facts are kept, what stands between calls is context. */
function rowOfPath(
  calls: readonly Interaction[],
  child: number,
  warn: (message: string) => void,
): TokenArrays {
  const response = calls[child]!.response!;
  const parent = parentAmong(calls, child);
  if (parent === null) return rowOfCall(response);
  const before = rowOfPath(calls, parent, warn);
  if (response.inputIds.length <= before.ids.length) {
    warn(
      `Interaction ${child} was sent no more tokens than interaction ${parent} has; ${parent} is not trained on in its row.`,
    );
    return rowOfCall(response);
  }
  const gap = contextRow(inputGap(before.ids, response.inputIds));
  return withReply(joined(before, gap), response);
}
