// How a run ended: what it reached, what it took, and where to go from here.
import { Check, CircleStop, Play } from "lucide-react";
import { useId, useState } from "react";
import { Link } from "react-router";
import { entryNames } from "../../config/entries.ts";
import { setNames } from "../../config/levels.ts";
import { stateCriticText } from "../../config/state-critic.ts";
import { levelsText } from "../../core/level-source.ts";
import { entriesOf } from "../charts/catalog.ts";
import { VerdictsButton } from "../configure/judge-access.tsx";
import { formatDuration, formatPercent, unbroken } from "../lib/format.ts";
import { continueRun } from "../session/session.ts";
import { updateName, updatesText } from "../store/progress.ts";
import { useRun } from "../store/run-store.ts";
import type { RunView, Validation } from "../store/run-view.ts";
import type { SeriesTable } from "../store/series.ts";
import { rateOf, validationText } from "../store/success.ts";
import { AskedByShownJudge } from "./asked-by-judge.tsx";
import { AskedForShownModels } from "./asked-for-models.tsx";
import { ContinueButton, useContinueBlocked } from "./continue-button.tsx";
import { DownloadButton, ExportOnnxButton } from "./download-button.tsx";

export function Summary() {
  const finished = useRun((view) => view.state === "finished");
  const neverBegan = useRun((view) => view.checkpoint === null && view.update === 0);
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
        {neverBegan ? <NothingSaved /> : <Outcome />}
      </div>
    </section>
  );
}

/** Of a run that was stopped while it was built. */
function NothingSaved() {
  return (
    <p className="text-dense text-muted">
      Stopped before training began; nothing was saved. To begin again, press “Start training” under
      Configure.
    </p>
  );
}

function Outcome() {
  return (
    <>
      <Reached />
      <WhereNext />
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <AskedByShownJudge />
        <AskedForShownModels />
        <GoOn />
        <DownloadButton words />
        <ExportOnnxButton />
        <VerdictsButton />
      </div>
    </>
  );
}

function Reached() {
  // A run at rest has few events.
  const { text, lines, rest } = factsOf(useRun((view) => view));
  return (
    <div className="nums text-dense text-muted">
      <p>{text}</p>
      {lines.length > 0 && (
        <ul className="list-disc pl-5">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {rest && <p>{rest}</p>}
    </div>
  );
}

/** A run that was stopped during its first validation has no episodes. */
function WhereNext() {
  const played = useRun((view) => view.trajectories.length > 0);
  return (
    <p className="mt-1 text-dense">
      {played ? (
        <>
          <Link to="/trace" className="text-accent underline underline-offset-2">
            Read its episodes
          </Link>
          , or change a parameter and start again.
        </>
      ) : (
        "Continue, or change a parameter and start again."
      )}
    </p>
  );
}

/** Continues a stopped run to its end, or a complete one by a number of updates. */
function GoOn() {
  const complete = useRun((view) => view.update >= view.totalUpdates);
  return complete ? <TrainMore /> : <ContinueButton primary />;
}

/** What is usually worth another look at the curves. */
const USUAL_MORE = 40;
const WHOLE = "Write a whole number of updates, at least 1.";

function TrainMore() {
  const blocked = useContinueBlocked();
  const [text, setText] = useState(`${USUAL_MORE}`);
  const problem = useId();
  const more = Number(text);
  // Its total may have been set below the updates that it has done.
  const goal = useRun((view) => updateName(view, Math.max(view.update, view.totalUpdates) + more));
  const valid = Number.isInteger(more) && more >= 1;
  return (
    <form
      className="flex flex-wrap items-center gap-2"
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
        aria-describedby={valid ? undefined : problem}
        min={1}
        step={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button
        type="submit"
        className="btn btn-primary btn-small"
        disabled={!valid || blocked !== ""}
        title={blocked || (valid ? `To ${goal}` : WHOLE)}
      >
        <Play size={14} aria-hidden />{" "}
        {valid ? `Train ${more} more ${more === 1 ? "update" : "updates"}` : "Train more"}
      </button>
      {!valid && (
        <span id={problem} role="status" className="text-caption text-danger">
          {WHOLE}
        </span>
      )}
    </form>
  );
}

/** What a run has reached, as texts. */
interface Facts {
  readonly text: string;
  /** A line for each of several environments and validation sets, to which the text leads; empty where there is only one. */
  readonly lines: readonly string[];
  /** What follows. */
  readonly rest: string;
}

/**
 * What the run had reached by its present update: a stored one may have events of later updates, which were not
 * saved. "80 updates in 6 min of training, validations not counted. Success at update 80: sampled 81 % of 256 validation levels
 * (95 %: 76–85 %), greedy 83 %; at the first validation sampled 36 %, greedy 40 %." In several environments, or with further validation sets: "… Success at update
 * 80:", then "frozenlake sampled 81 % of …, greedy 83 %", "sokoban sampled 12 % of …, greedy 14 %; at the first validation sampled 5 %, greedy 6 %".
 */
export function factsOf(view: RunView): Facts {
  const { update, axes, validations, config } = view;
  const isPart = validations.some((report) => report.update <= update);
  const of = isPart ? " of training, validations not counted" : "";
  const validated = validatedFacts(view);
  if (update === 0) return notTrained(validated, view.totalUpdates === 0);
  const took = `${updatesText(view)} in ${formatDuration(axes.wallMs.at(update) ?? 0)}${of}.`;
  const success = validated ?? trainedFacts(view);
  const critic = config ? stateCriticText(config) : "";
  return { ...success, text: joined(took, success.text), rest: joined(success.rest, critic) };
}

const joined = (...sentences: readonly string[]): string => sentences.filter(Boolean).join(" ");

/**
 * @param validated what the first validation found; null if it was cut short
 * @param onlyValidates whether the run has no updates
 */
const notTrained = (validated: Facts | null, onlyValidates: boolean): Facts =>
  validated
    ? {
        ...validated,
        text: joined(onlyValidates ? "This run only validates." : "No update was completed.", validated.text),
      }
    : { text: "No update was completed, and no validation was finished.", lines: [], rest: "" };

function validatedFacts(view: RunView): Facts | null {
  const { validations, update, config } = view;
  const sampled = validations.filter((report) => report.temperature > 0 && report.update <= update);
  const [first, last] = [sampled[0], sampled.at(-1)];
  if (!first || !last) return null;
  const greedyAt = ({ update: at }: Validation) =>
    validations.findLast((report) => report.temperature === 0 && report.update === at);
  const greedy = greedyAt(last);
  const greedyBefore = greedyAt(first);
  const at = `at ${updateName(view, last.update)}`;
  const further = furtherText(
    greedy && rateOf(greedy),
    first === last ? undefined : rateOf(first),
    greedyBefore && rateOf(greedyBefore),
  );
  const success = `${asSampled(greedy)}${validationText(last)}${further}`;
  const rest = last.levels ? `${levelsText(last.levels)}.` : "";
  const [main, ...others] = config ? entryNames(config) : [];
  const sets = config ? setNames(config) : [];
  if (others.length + sets.length === 0) return { text: `Success ${at}: ${success}.`, lines: [], rest };
  const named = [
    ...others.map((name) => [name, name]),
    ...sets.map((name) => [name, `${name} (validation set)`]),
  ];
  const lines = named.flatMap(([name, title]) => furtherLine(view, name!, title!, first, last));
  return { text: `Success ${at}:`, lines: [`${main} ${success}`, ...lines], rest };
}

/** What the run reached in an environment besides the first, or in a validation set. Runs of earlier versions have only the rate. */
function furtherLine(
  { series, greedy }: RunView,
  name: string,
  title: string,
  first: Validation,
  last: Validation,
): string[] {
  const rateAt = (table: SeriesTable, { update }: Validation) => {
    const rate = table.get(`val/success/${name}`)?.exactlyAt(update);
    return rate === undefined ? undefined : formatPercent(rate);
  };
  const now = rateAt(series, last);
  if (now === undefined) return [];
  const count = last.further?.[name];
  const before = first === last ? undefined : rateAt(series, first);
  const ofGreedy = rateAt(greedy, last);
  const success = count ? validationText(count) : unbroken(now);
  return [`${title} ${asSampled(ofGreedy)}${success}${furtherText(ofGreedy, before, rateAt(greedy, first))}`];
}

/** Tells a sampled rate from the greedy one, where there is one. */
const asSampled = (greedy: unknown): string => (greedy === undefined ? "" : "sampled ");

/** ", greedy 83 %; at the first validation sampled 36 %, greedy 40 %", as far as they were measured. */
function furtherText(
  greedy: string | undefined,
  before: string | undefined,
  greedyBefore: string | undefined,
): string {
  const now = greedyText(greedy);
  if (before === undefined) return now;
  return `${now}; at the first validation ${asSampled(greedyBefore)}${unbroken(before)}${greedyText(greedyBefore)}`;
}

const greedyText = (rate: string | undefined): string =>
  rate === undefined ? "" : `, greedy ${unbroken(rate)}`;

function trainedFacts({ series, update }: RunView): Facts {
  const names = entriesOf(series, "train/success/");
  const rates = names.flatMap((name) => {
    const success = series.get(`train/success/${name}`);
    // Two batches, and not the same one twice.
    if (!success || success.length < 2 || success.xs[1]! > update) return [];
    const of = names.length > 1 ? `${name} ` : "";
    return `${of}${formatPercent(success.ys[0]!)} in the first, ${formatPercent(success.at(update)!)} in the last`;
  });
  if (rates.length === 0) return { text: "", lines: [], rest: "" };
  if (rates.length > 1)
    return {
      text: "It was never validated. Success in single training batches:",
      lines: rates,
      rest: "",
    };
  return {
    text: `Success in single training batches: ${rates[0]}; it was never validated.`,
    lines: [],
    rest: "",
  };
}
