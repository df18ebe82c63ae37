// Loss of SFT that no right computation gives: a kernel may be wrong on this GPU.
import type { Alarm } from "./alarm.ts";
import { lastAll, metric, type Point, recentMean, seriesOf, sinceWhen } from "./history.ts";

const KEY = "sft/loss";
/**
 * Nats. With random weights the loss is about ln(vocabulary size): 4.9 with the 128 tokens of the smallest policies, 6.6 with
 * the 704 of the largest. This is that of 22,000 tokens.
 */
const TOO_HIGH = 10;
/** Nats above the first loss. Recorded runs rise by 0.2 at most, also from a checkpoint. */
const RISE = 2;
/** After these updates the loss must have fallen to this share of the first. Recorded runs have a quarter of it left after 50. */
const FALLEN_AFTER = 200;
const SHARE_LEFT = 0.9;
/** SFT that continues from a checkpoint begins below this many nats, and may stay where it is. */
const KNOWS_NOTHING = 2;
const IN_A_ROW = 3;
/** The alarm ends this far below the bound, as a share of it. */
const MARGIN = 0.1;

/** The loss of SFT is far above that of random guesses, rises, or does not fall. */
export const sftLoss: Alarm = {
  id: "sft_loss",
  title: "The loss of SFT looks wrong",
  meaning:
    "The imitation loss is far above that of random guesses, rises, or has not fallen over the first updates of SFT. A kernel may be wrong on this GPU or its driver.",
  remedy:
    "Check this GPU: npm run check-gpu, or its button in the page. If every kernel is right, start again with half the learning rate of SFT.",
  severity: "warning",
  stage: "warmup",
  reads: [KEY],
  detect(history) {
    const points = seriesOf(history, metric(KEY));
    const limit = boundOf(points);
    const isWrong = (value: number) => value > limit;
    if (!lastAll(points, IN_A_ROW, isWrong)) return null;
    const before = points[0]!.value;
    const evidence = { metric: KEY, title: "imitation loss", now: recentMean(points, IN_A_ROW), limit };
    // What is too high from the start is above its bound, and not above what it was.
    return {
      began: sinceWhen(points, isWrong),
      evidence: [before > TOO_HIGH ? evidence : { ...evidence, before }],
    };
  },
  isOver(history) {
    const points = seriesOf(history, metric(KEY));
    const limit = boundOf(points);
    return lastAll(points, IN_A_ROW, (value) => value < (1 - MARGIN) * limit);
  },
};

/** What the newest loss may be at most. */
function boundOf(points: readonly Point[]): number {
  const first = points[0]?.value ?? 0;
  const passed = points.length > 0 ? points.at(-1)!.update - points[0]!.update : 0;
  if (passed >= FALLEN_AFTER && first > KNOWS_NOTHING) return Math.min(TOO_HIGH, SHARE_LEFT * first);
  return Math.min(TOO_HIGH, first + RISE);
}
