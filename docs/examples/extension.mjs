// An extension with one of each kind: an estimator, a reward term, a batch filter and a metric. docs/extending.md
// explains it; try it with
//   npm run train -- --preset frozenlake-nano --plugin docs/examples/extension.mjs \
//     --set algorithm.adv_estimator=reward_to_go --set algorithm.filter=unsettled --set rollout.n_trajectory=4 \
//     --set reward.weights.shorter=0.1
// or paste it into Configure → Extensions.
// @ts-check

/** @type {import("./vagen-extension.d.ts").Extension} */
export default ({ estimator, rewardTerm, filter, metric }) => {
  // Monte-Carlo advantages: what is still paid after a token, less what the critic expected (GAE with λ = 1).
  estimator({
    id: "reward_to_go",
    title: "Reward to go",
    help: "The discounted rewards that follow a token, less the critic's value.",
    usesTurnGamma: false,
    estimate({ starts, rewards, values, gaeMask, bootstrap }, { gamma }) {
      const advantages = new Float64Array(rewards.length);
      const returns = new Float64Array(rewards.length);
      for (let s = 0; s + 1 < starts.length; s++) {
        let toGo = bootstrap?.[s] ?? 0;
        for (let i = starts[s + 1] - 1; i >= starts[s]; i--) {
          if (!gaeMask[i]) continue;
          toGo = rewards[i] + gamma * toGo;
          returns[i] = toGo;
          advantages[i] = toGo - values[i];
        }
      }
      return { advantages, returns };
    },
  });

  // 1 for a reply of no more than a hundred characters, falling to 0 at three hundred.
  rewardTerm({
    id: "shorter",
    title: "Short replies",
    score: ({ reply }) => Math.min(1, Math.max(0, (300 - reply.length) / 200)),
  });

  // Trains only on levels that are solved now and then; on all where there is no such level.
  filter({
    id: "unsettled",
    title: "Unsettled levels",
    help: "Keeps the levels that some episodes solve and others do not.",
    comparesGroups: true,
    apply(episodes) {
      const outcomes = new Map();
      for (const { groupId, trajectory } of episodes)
        outcomes.set(groupId, new Set([...(outcomes.get(groupId) ?? []), trajectory.success]));
      const unsettled = [...outcomes.values()].filter((seen) => seen.size > 1).length;
      const keep = episodes.map(({ groupId }) => unsettled === 0 || outcomes.get(groupId).size > 1);
      return { keep, metrics: { unsettled_levels: unsettled } };
    },
  });

  metric({
    id: "words_per_reply",
    title: "Words per reply",
    unit: "words",
    definition: "Mean number of words in a reply, over all replies of the batch.",
    better: "lower",
    range: null,
    healthy: "Falls at first, and stays where every section still says something.",
    wrong: "Near 0: the policy has stopped describing what it sees.",
    measure(trajectories) {
      const replies = trajectories.flatMap(({ turns }) => turns.map(({ reply }) => reply));
      if (replies.length === 0) return undefined;
      const words = replies.map((reply) => reply.split(/\s+/).filter(Boolean).length);
      return words.reduce((sum, count) => sum + count, 0) / replies.length;
    },
  });
};
