// veRL's correction for tokens that another policy sampled. Its weights of tokens are those of AReaL's decoupled objective: the ratio of
// the recomputed policy to the one that sampled, bounded from above, times the loss of the token.
import type { RunConfig } from "../../run-config.ts";
import { type KeyMapping, lite, type ReadResult, type Source } from "../key-mapping.ts";
import { playsAhead } from "./asynchronous.ts";
import { ENGINE } from "./reasons.ts";

const SECTION = "algorithm.rollout_correction";
const WEIGHTS = `${SECTION}.rollout_is`;
const THRESHOLD = `${WEIGHTS}_threshold`;
const BYPASS = `${SECTION}.bypass_mode`;
/** veRL's threshold where the files have none. */
const USUAL_THRESHOLD = 2;

const NO_MISMATCH =
  "Every batch is played by the policy that it trains, with the same kernels, so there is no mismatch to correct.";
const ONE_BOUND =
  "The studio bounds weights from above only, so no token is weighed. Make rollout_is_threshold a number.";

/** What veRL does with weights of a kind. */
function readWeights(kind: unknown, source: Source): ReadResult {
  if (!playsAhead(source)) return { ignored: NO_MISMATCH };
  if (source.get(BYPASS) === true) return { ignored: "With bypass_mode veRL weighs no token." };
  if (kind !== "token")
    return { unsupported: "The studio weighs each token by its own ratio only, so no token is weighed." };
  if (typeof source.get(THRESHOLD) !== "number") return { unsupported: ONE_BOUND };
  return { value: true };
}

/** A setting of the weights, where there are any. */
const weighted =
  (read: (value: unknown) => ReadResult): NonNullable<KeyMapping["read"]> =>
  (value, source) =>
    "value" in readWeights(source.get(WEIGHTS), source) ? read(value) : { ignored: "No token is weighed." };

/** A part of the correction that the studio lacks. */
const lacking = (key: string, why: string): KeyMapping =>
  lite.unset(key, why, {
    read(value, source) {
      if (!playsAhead(source)) return { ignored: NO_MISMATCH };
      return value === false ? { ignored: "It is off." } : { unsupported: why };
    },
  });

/** Whether a run has weights that veRL has too: it does not leave tokens out above one bound. */
const areTheirs = ({ actor, rollout }: RunConfig): boolean =>
  rollout.max_head_offpolicyness > 0 && actor.use_decoupled_loss && actor.behav_imp_weight_mode === "clamp";

export const rolloutCorrectionKeys: readonly KeyMapping[] = [
  lite(WEIGHTS, "actor.use_decoupled_loss", {
    read: readWeights,
    write: (config) => (areTheirs(config) ? "token" : undefined),
    converted: "On with `token`, if `trainer.use_v1` lets rollouts go on during updates.",
  }),
  lite(WEIGHTS, "actor.behav_imp_weight_mode", {
    read: weighted(() => ({ value: "clamp" })),
    write: () => undefined,
    converted: "`clamp`: veRL truncates weights.",
  }),
  lite(THRESHOLD, "actor.behav_imp_weight_cap", {
    default: USUAL_THRESHOLD,
    assumed: true,
    read: weighted((value) => ({ value })),
    write: (config) => (areTheirs(config) ? config.actor.behav_imp_weight_cap : undefined),
    converted: "Only a number.",
  }),
  lacking(`${WEIGHTS}_batch_normalize`, "The studio does not divide weights by their mean."),
  lacking(`${SECTION}.rollout_rs`, "The studio leaves out no token or sequence by its ratio."),
  lacking(BYPASS, "The studio's ratio is relative to the policy that an update begins with."),
  ...lite.ignored("Read together with rollout_is, rollout_rs or bypass_mode.", [`${SECTION}.*`]),
  lite.written("actor_rollout_ref.rollout.calculate_log_probs", ENGINE, (config) =>
    areTheirs(config) ? true : undefined,
  ),
];
