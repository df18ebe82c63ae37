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
    meaning:
      "1 on tokens that the update trains on: the response mask, or all tokens with `use_loss_mask` off",
  },
  gaeMask: {
    name: "GAE mask",
    meaning: "1 on tokens that carry advantage: the response mask, or all tokens with `use_gae_mask` off",
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
    meaning: "How much better a token is than expected; computed by an estimator.",
  },
  return: { name: "Return", meaning: "Target of the critic: advantage plus value." },
  critic: { name: "Critic", meaning: "The value head or the separate value network." },
  whitening: {
    name: "Whitening",
    meaning: "Subtracting the mean of the advantages and dividing by their deviation.",
  },
  turnAnchor: {
    name: "Turn value anchor",
    meaning: "The token of a turn before which its value is read (`turn_value_anchor`).",
  },
  turnGamma: {
    name: "γ turn, λ turn",
    meaning: "Discount and λ between turns (`high_level_gamma`, `high_level_lam`).",
  },
  refPolicy: { name: "Ref policy", meaning: "The frozen policy that KL terms are measured against." },
} as const satisfies Record<string, { name: string; meaning: string }>;

export type TermId = keyof typeof TERMS;

/** A meaning without the marks of the docs, as a sentence. */
export function plainMeaning(id: TermId): string {
  const text = TERMS[id].meaning.replace(/[*`]/g, "");
  return text.endsWith(".") ? text : `${text}.`;
}
