// The policy losses by veRL's names, and the two of VAGEN for turns. To add one: an entry here, its formula in
// shaders/lib/policy_loss.wgsl, and that of its twin.

/** Over what the policy's part of the loss is averaged, where that is not `actor.loss_agg_mode`. */
type OwnMean =
  /** Every sequence counts the same: `seq-mean-token-mean`. */
  | "sequence"
  /** Every turn of a sequence counts one, and the sequences are averaged. */
  | "turn"
  /** Every token counts one, and the sequences are averaged. */
  | "token";

export interface PolicyLoss {
  readonly title: string;
  /** Formula of a token's loss. */
  readonly objective: "clipped" | "gpg" | "cispo" | "sapo" | "clip_cov" | "kl_cov" | "geo_mean";
  /** Which tokens share a ratio, and how it is made of theirs. */
  readonly ratio: "token" | "sequence" | "clipped_sequence" | "turn" | "turn_product";
  readonly ownMean?: OwnMean;
  /** Reads the clip ratios, and the second clip. */
  readonly clips?: true;
  readonly clipsTwice?: true;
}

const POLICY_LOSSES = {
  vanilla: {
    title: "PPO: a ratio per token",
    objective: "clipped",
    ratio: "token",
    clips: true,
    clipsTwice: true,
  },
  gspo: {
    title: "GSPO: a ratio per sequence",
    objective: "clipped",
    ratio: "sequence",
    ownMean: "sequence",
    clips: true,
  },
  turn_ppo: {
    title: "Turn PPO: a ratio per turn",
    objective: "clipped",
    ratio: "turn_product",
    ownMean: "token",
    clips: true,
  },
  turn_gspo: {
    title: "Turn GSPO: a mean ratio per turn",
    objective: "clipped",
    ratio: "turn",
    ownMean: "turn",
    clips: true,
  },
  gpg: { title: "GPG: no ratio", objective: "gpg", ratio: "token" },
  cispo: { title: "CISPO: clipped weights", objective: "cispo", ratio: "token", clips: true },
  sapo: { title: "SAPO: a soft clip", objective: "sapo", ratio: "token", ownMean: "sequence" },
  clip_cov: {
    title: "Clip-Cov: drops high covariances",
    objective: "clip_cov",
    ratio: "token",
    clips: true,
  },
  kl_cov: { title: "KL-Cov: KL at high covariances", objective: "kl_cov", ratio: "token" },
  geo_mean: {
    title: "GMPO: geometric mean of a sequence",
    objective: "geo_mean",
    ratio: "clipped_sequence",
    ownMean: "sequence",
    clips: true,
  },
} as const satisfies Readonly<Record<string, PolicyLoss>>;

export type PolicyLossId = keyof typeof POLICY_LOSSES;

/** A loss by its name. */
export const policyLoss = (id: PolicyLossId): PolicyLoss => POLICY_LOSSES[id];

/** Names of the losses that `has` is true of. */
export const policyLossesWith = (has: (loss: PolicyLoss) => boolean): PolicyLossId[] =>
  (Object.keys(POLICY_LOSSES) as PolicyLossId[]).filter((id) => has(policyLoss(id)));

/** Titles of the losses, for the form. */
export const POLICY_LOSS_TITLES = Object.fromEntries(
  Object.entries(POLICY_LOSSES).map(([id, { title }]) => [id, title]),
) as Record<PolicyLossId, string>;
