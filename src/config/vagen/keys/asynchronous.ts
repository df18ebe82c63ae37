// Rollouts that go on while the policy is trained. veRL has a trainer of its own for them, the studio a limit of staleness.
import type { RunConfig } from "../../run-config.ts";
import { type KeyMapping, lite, type ReadResult, type Source } from "../key-mapping.ts";

const USES_IT = "trainer.use_v1";
const THRESHOLD = "trainer.v1.sampler.max_off_policy_threshold";
/** veRL's threshold where the files have none. */
const USUAL_THRESHOLD = 8;
/** The studio's largest. */
const MOST = 16;

const isAhead = ({ rollout }: RunConfig): boolean => rollout.max_head_offpolicyness > 0;

/** The limit of staleness of the asynchronous trainer; 0 for the synchronous ones. */
function limit(usesIt: unknown, source: Source): ReadResult {
  const mode = source.get("trainer.v1.trainer_mode") ?? "colocate_async";
  if (usesIt !== true || mode === "sync") return { value: 0 };
  const threshold = source.get(THRESHOLD) ?? USUAL_THRESHOLD;
  return typeof threshold === "number" && threshold > MOST
    ? { value: MOST, note: "The studio's largest limit." }
    : { value: threshold };
}

/** Whether rollouts go on while the policy is trained, so that a batch may be older than the policy. */
export function playsAhead(source: Source): boolean {
  const read = limit(source.get(USES_IT), source);
  return "value" in read && Number(read.value) > 0;
}

export const asynchronousKeys: readonly KeyMapping[] = [
  lite(USES_IT, "rollout.max_head_offpolicyness", {
    read: limit,
    write: (config) => (isAhead(config) ? true : undefined),
    converted: `On is \`${THRESHOLD}\` (${USUAL_THRESHOLD} where the files have none, ${MOST} at most), or 0 if the mode is \`sync\`.`,
  }),
  lite.written("trainer.v1.trainer_mode", "Read together with trainer.use_v1.", (config) =>
    isAhead(config) ? "colocate_async" : undefined,
  ),
  lite.written(THRESHOLD, "Read together with trainer.use_v1.", (config) =>
    isAhead(config) ? config.rollout.max_head_offpolicyness : undefined,
  ),
  ...["trainer.v1", "trainer.v1.colocate_async", "trainer.v1.graphrl"].map((section) =>
    lite(`${section}.max_inflight_steps`, "rollout.max_inflight_steps", {
      write: (config) =>
        section === "trainer.v1" && config.rollout.max_head_offpolicyness > 1
          ? config.rollout.max_inflight_steps
          : undefined,
    }),
  ),
  ...lite.ignored("The studio begins to play ahead with its first update.", ["trainer.v1.*"]),
];
