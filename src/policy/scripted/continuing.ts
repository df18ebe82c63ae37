// A policy that begins with recorded replies. A recorded episode goes on from any turn, as if another policy had taken over.
import type { Completion, GenerateRequest, Policy, Sampling } from "../policy.ts";

/** What a conversation has given and been given so far. */
interface Opening {
  turn: number;
  ids: number[];
  responseMask: number[];
  images: GenerateRequest["images"][number][];
}

/**
 * Gives `recorded` as the first replies of every conversation. From then on `policy` replies; all that came before is part of
 * its first prompt.
 */
export function continuing(policy: Policy, recorded: readonly Completion[]): Policy {
  let openings: Opening[] = [];
  return {
    kind: policy.kind,
    begin(count, games) {
      policy.begin(count, games);
      openings = Array.from({ length: count }, () => ({ turn: 0, ids: [], responseMask: [], images: [] }));
    },
    async generate(requests, sampling, signal) {
      const answers = requests.map((request) => answerOf(openings[request.slot], request, recorded));
      const asked = answers.filter((answer) => "slot" in answer);
      const replies = await generateIfAny(policy, asked, sampling, signal);
      return answers.map((answer) => ("slot" in answer ? replies[asked.indexOf(answer)] : answer));
    },
  };
}

const generateIfAny = async (
  policy: Policy,
  requests: readonly GenerateRequest[],
  sampling: Sampling,
  signal: AbortSignal | undefined,
): Promise<Completion[]> => (requests.length > 0 ? policy.generate(requests, sampling, signal) : []);

/** The recorded reply, or the request to the policy that goes on. */
function answerOf(
  opening: Opening,
  request: GenerateRequest,
  recorded: readonly Completion[],
): Completion | GenerateRequest {
  const turn = opening.turn++;
  // A fresh context has all of its history in the prompt.
  const isWhole = request.fresh || turn > recorded.length;
  if (!isWhole) {
    const { promptIds, responseMask = new Uint8Array(promptIds.length), images } = request;
    opening.ids.push(...promptIds);
    opening.responseMask.push(...responseMask);
    opening.images.push(...images);
  }
  if (turn < recorded.length) {
    const reply = recorded[turn];
    opening.ids.push(...reply.ids);
    opening.responseMask.push(...reply.ids.map(() => 1));
    return reply;
  }
  if (isWhole) return request;
  return {
    ...request,
    promptIds: Int32Array.from(opening.ids),
    responseMask: Uint8Array.from(opening.responseMask),
    images: opening.images,
  };
}
