// How a run ended: what it reached, what it took, and where to go from here.
import { Check, CircleStop, Play } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import type { ValidationReport } from "../../runtime/events.ts";
import { resolveKey } from "../charts/catalog.ts";
import { formatDuration, formatFixed, formatPercent } from "../lib/format.ts";
import { continueRun } from "../session/session.ts";
import { DownloadButton } from "../shell/download-button.tsx";
import { useRun } from "../store/run-store.ts";
import type { RunView } from "../store/run-view.ts";
import { trainingBlocked, useSession } from "../store/session-store.ts";

export function Summary() {
  const finished = useRun((view) => view.state === "finished");
  const facts = useRun(factsText);
  return (
    <section className="card flex items-start gap-3 p-4" aria-label="Summary">
      {finished ? (
        <Check size={20} aria-hidden className="mt-0.5 flex-none text-ok" />
      ) : (
        <CircleStop size={20} aria-hidden className="mt-0.5 flex-none text-muted" />
      )}
      <div>
        <h2 className="text-lead font-semibold">
          {finished ? "The run has finished" : "The run was stopped"}
        </h2>
        <p className="nums text-dense text-muted">{facts}</p>
        <p className="mt-1 text-dense">
          <Link to="/trace" className="text-accent underline underline-offset-2">
            Read its episodes
          </Link>
          , or change a parameter and start again.
        </p>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <GoOn />
          <DownloadButton words />
        </div>
      </div>
    </section>
  );
}

/** A stopped run goes on to its end; one that is complete, for as many updates more as are asked for. */
function GoOn() {
  const complete = useRun((view) => view.update >= view.totalUpdates);
  const saved = useRun((view) => view.checkpoint !== null);
  const hindered = useSession(trainingBlocked);
  const blocked = hindered || (saved ? "" : "The run was never saved.");
  return complete ? <TrainMore blocked={blocked} /> : <Continue blocked={blocked} />;
}

function Continue({ blocked }: { blocked: string }) {
  const update = useRun((view) => view.update);
  const total = useRun((view) => view.totalUpdates);
  return (
    <button
      type="button"
      className="btn btn-primary btn-small"
      disabled={blocked !== ""}
      title={blocked || `From update ${update} to update ${total}`}
      onClick={() => continueRun()}
    >
      <Play size={14} aria-hidden /> Continue
    </button>
  );
}

/** What is usually worth another look at the curves. */
const USUAL_MORE = 40;

function TrainMore({ blocked }: { blocked: string }) {
  const [text, setText] = useState(`${USUAL_MORE}`);
  const total = useRun((view) => view.totalUpdates);
  const more = Number(text);
  const valid = Number.isInteger(more) && more >= 1;
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (valid && !blocked) void continueRun(more);
      }}
    >
      <input
        type="number"
        className="field-input nums w-[72px] text-right"
        aria-label="How many more updates"
        aria-invalid={!valid}
        min={1}
        step={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button
        type="submit"
        className="btn btn-primary btn-small"
        disabled={!valid || blocked !== ""}
        title={
          blocked || (valid ? `To update ${total + more}` : "Write a whole number of updates, at least 1.")
        }
      >
        <Play size={14} aria-hidden />{" "}
        {valid ? `Train ${more} more ${more === 1 ? "update" : "updates"}` : "Train more"}
      </button>
    </form>
  );
}

const rateOf = ({ successes, episodes }: ValidationReport): string =>
  formatPercent(successes / Math.max(1, episodes));

/** "80 updates in 6 min. Training success 36 % → 82 %. Last validation 81 % (95 %: 76–85 %), greedy 83 %." */
export function factsText(view: RunView): string {
  const sentences = [`${view.update} updates in ${formatDuration(view.axes.wallMs.last ?? 0)}.`];
  const key = resolveKey(view.series, "train/success");
  const success = key ? view.series.get(key) : undefined;
  if (success && success.length > 1)
    sentences.push(`Training success ${formatPercent(success.ys[0]!)} → ${formatPercent(success.last!)}.`);
  const sampled = view.validations.filter((report) => report.temperature > 0).at(-1);
  if (sampled) {
    const [low, high] = sampled.interval;
    const greedy = view.validations.findLast(
      (report) => report.temperature === 0 && report.update === sampled.update,
    );
    const bounds = `${formatFixed(100 * low, 0)}–${formatPercent(high)}`;
    sentences.push(
      `Last validation ${rateOf(sampled)} of ${sampled.episodes} levels (95 %: ${bounds})${greedy ? `, greedy ${rateOf(greedy)}` : ""}.`,
    );
  }
  return sentences.join(" ");
}
