// Random batches, on which every implementation of an estimator must give the same numbers.

/** Deterministic numbers in [0, 1). */
export function numbers(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/**
 * Trajectories of random shape: observations of 0–4 tokens, turns of 1–5, some trajectories without any policy token.
 * Rewards lie on turn ends, and on other policy tokens too when `inner`.
 */
export function randomBatch(seed: number, episodes: number, { inner = false, bootstrap = false } = {}) {
  const next = numbers(seed);
  const starts = [0];
  const loss: number[] = [];
  const end: number[] = [];
  const reward: number[] = [];
  for (let s = 0; s < episodes; s++) {
    const turns = Math.floor(next() * 4);
    for (let k = 0; k < turns; k++) {
      const observed = Math.floor(next() * 5);
      const written = 1 + Math.floor(next() * 5);
      for (let i = 0; i < observed + written; i++) {
        const own = i >= observed;
        const last = i === observed + written - 1;
        loss.push(own ? 1 : 0);
        end.push(last ? 1 : 0);
        reward.push(last || (own && inner) ? next() * 4 - 1 : 0);
      }
    }
    // Tokens after the last turn, as padding or a dropped observation would leave them.
    for (let i = Math.floor(next() * 3); i > 0; i--) {
      loss.push(0);
      end.push(0);
      reward.push(0);
    }
    starts.push(loss.length);
  }
  return {
    starts: Uint32Array.from(starts),
    rewards: Float32Array.from(reward),
    values: Float32Array.from(loss, () => next() * 2 - 0.5),
    gaeMask: Float32Array.from(loss),
    turnEndMask: Float32Array.from(end),
    bootstrap: Float32Array.from({ length: episodes }, () => (bootstrap ? next() : 0)),
    groups: Uint32Array.from({ length: episodes }, (_, s) => Math.floor(s / 3)),
  };
}
