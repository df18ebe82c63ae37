// Says when replies are cut off: a form that does not fit within the limit earns nothing, whatever the policy has learned.
import type { RunConfig } from "../config/run-config.ts";
import type { Metrics } from "../rl/metrics.ts";
import type { TrainerEvent } from "./events.ts";

type Warning = Extract<TrainerEvent, { type: "warning" }>;

/** From this share of replies at the limit on, the limit decides what is said. */
const TOO_MANY = 0.5;

/** Watches update after update; warns when most replies begin to be cut, and again only after that was over. */
export function watchReplies(): (metrics: Metrics, config: RunConfig, update: number) => Warning[] {
  let areCut = false;
  return (metrics, config, update) => {
    const share = metrics["response_length/clip_ratio"];
    if (share === undefined) return [];
    const wereCut = areCut;
    areCut = share >= TOO_MANY;
    return areCut && !wereCut ? [warning(update, share, config.rollout.response_length)] : [];
  };
}

const warning = (update: number, share: number, limit: number): Warning => ({
  type: "warning",
  update,
  code: "replies_cut",
  message: `${Math.round(share * 100)} % of the replies of update ${update} reached the limit of ${limit} tokens (rollout.response_length).`,
  hint: "Raise the limit if their form needs more; a policy that does not end its replies by itself needs a warm-up or another checkpoint.",
});
