// The terms that the panels explain in a popover, in the words of docs/glossary.md.

export const TERMS = {
  turn: { name: "Turn", meaning: "One observation and the reply to it." },
  trajectory: {
    name: "Episode, trajectory",
    meaning: "One play of one level; *trajectory* is its record.",
  },
  responseMask: { name: "Response mask", meaning: "1 on tokens that the policy sampled" },
  lossMask: {
    name: "Loss mask",
    meaning: "1 on tokens that the update learns from: those that the policy wrote itself",
  },
  gaeMask: {
    name: "GAE mask",
    meaning: "1 on tokens that get an advantage: those that the policy wrote itself",
  },
  turnEndMask: {
    name: "Turn-end mask",
    meaning: "1 on the last token of each turn, which carries its reward",
  },
  rewards: {
    name: "Rewards",
    meaning: "Rewards as they were recorded, each turn's on its last token.",
  },
  advantage: {
    name: "Advantage",
    meaning:
      "How much better things went from a token on than the critic expected; an estimator computes it.",
  },
  return: {
    name: "Return",
    meaning: "Of a token: what the critic should have said, its value plus the advantage.",
  },
  value: { name: "Value", meaning: "The reward that the critic still expects, from a token on." },
  critic: {
    name: "Critic",
    meaning: "The part that estimates values: a head of the policy's network, or a separate network.",
  },
  whitening: {
    name: "Whitening",
    meaning:
      "Shifting and scaling the advantages of a batch so that their mean is 0 and their standard deviation 1.",
  },
  turnAnchor: {
    name: "Turn value anchor",
    meaning: "Where the value of a whole turn is read: before its first or before its last token.",
  },
  turnGamma: {
    name: "γ turn, λ turn",
    meaning: "How much less the next turn counts, and how far a surprise travels back from turn to turn.",
  },
  refPolicy: {
    name: "Ref policy",
    meaning: "A frozen copy of the policy from before PPO; a KL penalty keeps the trained policy near it.",
  },
} as const satisfies Record<string, { name: string; meaning: string }>;

export type TermId = keyof typeof TERMS;

/** A meaning without the marks of the docs, as a sentence. */
export function plainMeaning(id: TermId): string {
  const text = TERMS[id].meaning.replace(/[*`]/g, "");
  return text.endsWith(".") ? text : `${text}.`;
}
