// The episodes that this page remembers, newest first.
import { ListFilter } from "lucide-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { Chip, EmptyState, Segmented } from "../components/controls.tsx";
import { FrameCanvas } from "../episode/env-picture.tsx";
import { countRight, outcomeOf, PROVENANCE, returnOf, traceAddress } from "../episode/outcome.ts";
import { formatSigned } from "../lib/format.ts";
import { useRun } from "../store/run-store.ts";
import { KEPT_TRAJECTORIES, type StoredTrajectory } from "../store/run-view.ts";

type OutcomeFilter = "all" | "success" | "failure";

const OUTCOMES: readonly { value: OutcomeFilter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "success", label: "Success" },
  { value: "failure", label: "No success" },
];

export function TraceList() {
  const stored = useRun((view) => view.trajectories);
  const [params, setParams] = useSearchParams();
  const [outcome, setOutcome] = useState<OutcomeFilter>("all");
  const update = params.get("update");
  const shown = stored.filter(
    (entry) =>
      (outcome === "all" || entry.trajectory.success === (outcome === "success")) &&
      (update === null || entry.update === Number(update)),
  );
  return (
    <div className="mx-auto flex w-full max-w-[1200px] flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-h2 font-semibold">Traces</h1>
        <span className="nums text-dense text-muted">
          {shown.length} of {stored.length} episodes
        </span>
        <span className="flex-1" />
        {update !== null && (
          <button type="button" className="btn btn-small" onClick={() => setParams({})}>
            <ListFilter size={14} aria-hidden /> Update {update} · show all
          </button>
        )}
        <Segmented name="Outcome" value={outcome} choices={OUTCOMES} onChange={setOutcome} />
      </div>
      {shown.length > 0 ? <Rows shown={shown} /> : <NoRows any={stored.length > 0} />}
    </div>
  );
}

function NoRows({ any }: { any: boolean }) {
  if (any)
    return (
      <EmptyState title="No episode matches">
        Of each update the page keeps a success, a failure and a random one, {KEPT_TRAJECTORIES} episodes in
        all.
      </EmptyState>
    );
  return (
    <EmptyState title="No episodes yet">
      <p className="mb-3">
        Every episode that is sent while a run is on appears here, token by token. The newest are stored with
        the run and come back when it is resumed or opened.
      </p>
      <Link className="btn" to="/train">
        Go to Train
      </Link>
    </EmptyState>
  );
}

/** Leaves room for the others on a phone; the trace itself tells the rest. */
const WIDE = "max-sm:hidden";

const COLUMNS = [
  { head: "Level", wide: false },
  { head: "Outcome", wide: false },
  { head: "Update", wide: false },
  { head: "Return", wide: false },
  { head: "Turns", wide: true },
  { head: "Observations right", wide: true },
  { head: "Predictions right", wide: true },
  { head: "Source", wide: true },
] as const;

function Rows({ shown }: { shown: readonly StoredTrajectory[] }) {
  return (
    <div className="card overflow-x-auto">
      <table className="nums w-full text-dense">
        <thead className="bg-panel text-left text-caption text-muted">
          <tr>
            {COLUMNS.map(({ head, wide }) => (
              <th
                key={head}
                className={`px-3 py-2 font-semibold whitespace-nowrap max-sm:px-2 ${wide ? WIDE : ""}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((stored) => (
            <Row key={stored.key} stored={stored} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ stored }: { stored: StoredTrajectory }) {
  const { trajectory, update, source } = stored;
  const outcome = outcomeOf(trajectory);
  const image = trajectory.turns[0]?.observation.images[0];
  const [seen, foreseen] = [countRight(trajectory, "observation"), countRight(trajectory, "prediction")];
  return (
    <tr className="border-t border-line [content-visibility:auto] hover:bg-panel">
      <td className="px-3 py-1.5 max-sm:px-2">
        <Link
          to={traceAddress(stored)}
          className="flex items-center gap-2 font-semibold text-accent underline-offset-2 hover:underline"
        >
          {image && (
            <span className="w-9 flex-none overflow-hidden rounded border border-line">
              <FrameCanvas frame={image} label="First picture" pixelated />
            </span>
          )}
          {trajectory.seed}
        </Link>
      </td>
      <td className="px-3 py-1.5 max-sm:px-2">
        <Chip tone={outcome.tone}>
          <span aria-hidden>{outcome.mark}</span>
          <span className="max-sm:visually-hidden">{outcome.word}</span>
        </Chip>
      </td>
      <td className="px-3 py-1.5 max-sm:px-2">{update}</td>
      <td className="px-3 py-1.5 max-sm:px-2">{formatSigned(returnOf(trajectory))}</td>
      <td className={`px-3 py-1.5 ${WIDE}`}>{trajectory.turns.length}</td>
      <td className={`px-3 py-1.5 ${WIDE}`}>
        {seen.right} of {seen.of}
      </td>
      <td className={`px-3 py-1.5 ${WIDE}`}>
        {foreseen.right} of {foreseen.of}
      </td>
      <td className={`px-3 py-1.5 text-muted ${WIDE}`} title={PROVENANCE[source].about}>
        {PROVENANCE[source].word}
      </td>
    </tr>
  );
}
