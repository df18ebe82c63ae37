// KL spike: one update changed the policy much more than usual.
import type { Alarm } from "./alarm.ts";
import { lastAll, median, metric, seriesOf, valuesOf } from "./history.ts";

const KEY = "actor/ppo_kl";
/** The number of updates that determine the usual KL. */
const USUAL_OVER = 20;
const USUAL_TIMES = 8;
/** Nats per token: below the first, an update is harmless whatever the usual KL; above the second, it is too large. */
const [HARMLESS, TOO_FAR] = [0.02, 0.2];
const CALM_UPDATES = 5;

/** Approximate KL of an update far above that of earlier updates. */
export const klSpike: Alarm = {
  id: "kl_spike",
  title: "KL spike",
  meaning:
    "One update changed the policy much more than usual: its steps were too large, or its batch was unlike the others.",
  remedy:
    "A single spike after which success stays as it was is harmless. If success falls, or spikes repeat, lower the actor's learning rate or go back to an earlier checkpoint. If that does not help, check this GPU: npm run check-gpu, or its button in the page.",
  severity: "warning",
  stage: "ppo",
  reads: [KEY],
  detect(history) {
    const points = seriesOf(history.slice(-USUAL_OVER - 1), metric(KEY));
    const newest = points.at(-1);
    const earlier = valuesOf(points.slice(0, -1)).map(Math.abs);
    const usual = earlier.length >= CALM_UPDATES ? median(earlier) : undefined;
    const limit = Math.min(TOO_FAR, Math.max(HARMLESS, USUAL_TIMES * (usual ?? 0)));
    if (!newest || newest.value <= limit) return null;
    const evidence = { metric: KEY, title: "approximate KL", now: newest.value, limit };
    return {
      began: newest.update,
      evidence: [usual === undefined ? evidence : { ...evidence, before: usual }],
    };
  },
  isOver(history, { evidence: [{ limit = HARMLESS }] }) {
    return lastAll(seriesOf(history, metric(KEY)), CALM_UPDATES, (value) => value < limit / 2);
  },
};
