// CPU twin of the policy's part of ppo_loss and of lib/policy_loss, in f64: one token.
import type { OBJECTIVE } from "./ppo-loss.ts";

export interface TokenRef {
  readonly logp: number;
  readonly old: number;
  readonly advantage: number;
  /** Of its group, as sequence_log_ratio leaves it, or (1, 0) at tokens that the covariance chose. */
  readonly group: readonly [number, number];
}

export interface PolicyLossRefSettings {
  readonly clip_low: number;
  readonly clip_high: number;
  readonly clip_c: number;
  readonly tau_pos: number;
  readonly tau_neg: number;
  readonly cov_kl_coef: number;
}

interface TokenLossRef {
  loss: number;
  /** Its derivative in the token's log-probability. */
  slope: number;
  clipped: boolean;
  capped: boolean;
}

const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);

/** A token with its ratio, and whether that is free to move. */
interface Rated extends TokenRef {
  readonly d: number;
  readonly ratio: number;
  readonly free: boolean;
}

type Objective = (token: Rated, settings: PolicyLossRefSettings) => TokenLossRef;

const near = (ratio: number, { clip_low, clip_high }: PolicyLossRefSettings) =>
  clamp(ratio, 1 - clip_low, 1 + clip_high);

const OBJECTIVES: Readonly<Record<keyof typeof OBJECTIVE, Objective>> = {
  clipped({ advantage, ratio, free }, settings) {
    const [plain, bounded] = [-advantage * ratio, -advantage * near(ratio, settings)];
    const clipped = bounded > plain;
    const cap = -advantage * settings.clip_c;
    const capped = settings.clip_c > 0 && advantage < 0 && Math.max(plain, bounded) > cap;
    const loss = capped ? cap : Math.max(plain, bounded);
    return { loss, slope: clipped || capped || !free ? 0 : plain, clipped, capped };
  },
  gpg: ({ advantage, logp }) => ({
    loss: -advantage * logp,
    slope: -advantage,
    clipped: false,
    capped: false,
  }),
  cispo({ advantage, logp, ratio }, settings) {
    const weight = near(ratio, settings);
    const slope = -advantage * weight;
    return { loss: slope * logp, slope, clipped: weight !== ratio, capped: false };
  },
  sapo({ advantage, ratio, free }, { tau_pos, tau_neg }) {
    const tau = advantage > 0 ? tau_pos : tau_neg;
    const gate = 1 / (1 + Math.exp(-tau * (ratio - 1)));
    const slope = free ? -advantage * ratio * 4 * gate * (1 - gate) : 0;
    return { loss: ((-advantage * 4) / tau) * gate, slope, clipped: false, capped: false };
  },
  clip_cov({ advantage, ratio, free, group }, settings) {
    const [plain, bounded] = [-advantage * ratio, -advantage * near(ratio, settings)];
    const chosen = group[0] === 1;
    const slope = chosen || bounded > plain || !free ? 0 : plain;
    return { loss: chosen ? 0 : Math.max(plain, bounded), slope, clipped: chosen, capped: false };
  },
  kl_cov({ advantage, ratio, free, d, group }, { cov_kl_coef }) {
    const weight = group[0] === 1 ? cov_kl_coef : 0;
    const plain = -advantage * ratio;
    const slope = (free ? plain : 0) + weight * Math.sign(d);
    return { loss: plain + weight * Math.abs(d), slope, clipped: false, capped: false };
  },
  geo_mean({ advantage, ratio, d, group }, { clip_low, clip_high }) {
    const [above, below] = [d > clip_high, d < -clip_low];
    const stopped = advantage === 0 || (advantage > 0 && above) || (advantage < 0 && below);
    const loss = -group[1] * ratio;
    const outside = above || below;
    return {
      loss,
      slope: stopped ? 0 : loss,
      clipped: advantage > 0 && outside,
      capped: advantage < 0 && outside,
    };
  },
};

/** The loss of one token and its derivative. `grouped`: the ratio is that of its group; its gradient is through the token alone. */
export function policyLossRef(
  objective: keyof typeof OBJECTIVE,
  grouped: boolean,
  token: TokenRef,
  settings: PolicyLossRefSettings,
): TokenLossRef & { ratio: number; logRatio: number } {
  const d = token.logp - token.old;
  const difference = grouped ? token.group[0] : d;
  const logRatio = clamp(difference, -20, grouped ? 10 : 20);
  const rated = { ...token, d, ratio: Math.exp(logRatio), free: difference === logRatio };
  return { ...OBJECTIVES[objective](rated, settings), ratio: rated.ratio, logRatio };
}
