// The recordings on which the front page explains the method.

/** Ids: an episode of five turns that reaches the goal; then one level in every reply format. */
export const METHOD_REPLAYS: readonly string[] = [
  "frozenlake-10134-trained",
  "frozenlake-10203-no-think",
  "frozenlake-10203-free-think",
  "frozenlake-10203-grounding",
  "frozenlake-10203-worldmodeling",
  "frozenlake-10203-world-modeling",
];
