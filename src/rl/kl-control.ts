// Adaptive control of the KL penalty's coefficient (Ziegler et al. 2019, §2.2).

interface KlControl {
  /** KL to the ref policy that control aims at. */
  readonly target: number;
  /** Episodes over which control acts, at least those of one update: it moves once an update, which is its finest step. */
  readonly horizon: number;
}

/** Largest relative error that control heeds, so that no update moves the coefficient by more than this share. */
const LARGEST_ERROR = 0.2;

/** The coefficient after an update of `episodes` whose KL was `kl`; it stays positive, as episodes ≤ horizon. */
export function adaptedCoefficient(
  coefficient: number,
  kl: number,
  episodes: number,
  { target, horizon }: KlControl,
): number {
  const error = Math.min(LARGEST_ERROR, Math.max(-LARGEST_ERROR, kl / target - 1));
  return coefficient * (1 + (error * episodes) / horizon);
}
