// The episodes that this page remembers, newest first.
import { ListFilter } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router";
import type { RunConfig } from "../../config/run-config.ts";
import { SHOWN_TRAJECTORIES } from "../../training/events.ts";
import { KEPT_TRACES } from "../../worker/protocol.ts";
import { Chip, EmptyState, Segmented } from "../components/controls.tsx";
import { FrameCanvas } from "../episode/frame-canvas.tsx";
import {
  countRight,
  isOneTurn,
  oneTurnText,
  outcomeOfStored,
  outcomeText,
  PROVENANCE,
  returnOf,
  toolCalls,
  traceAddress,
} from "../episode/outcome.ts";
import { SECTION_LOOKS } from "../episode/section-look.tsx";
import { counted, formatSigned } from "../lib/format.ts";
import { useRun } from "../store/run-store.ts";
import { KEPT_TRAJECTORIES, type Provenance, type StoredTrajectory } from "../store/run-view.ts";

type OutcomeFilter = "all" | "success" | "failure";

const OUTCOMES: readonly { value: OutcomeFilter; label: string }[] = [
  { value: "all", label: "All" },
  { value: "success", label: "Success" },
  { value: "failure", label: "No success" },
];

/** Which episodes a list shows. */
interface TraceFilter {
  outcome: OutcomeFilter;
  source: Provenance | "all";
  /** Only episodes in which a tool was called. */
  tools: boolean;
  update: number | null;
}

/** The episodes that a filter leaves. */
export function filtered(stored: readonly StoredTrajectory[], filter: TraceFilter): StoredTrajectory[] {
  const { outcome, source, tools, update } = filter;
  return stored.filter(
    (entry) =>
      (outcome === "all" || entry.trajectory.success === (outcome === "success")) &&
      (source === "all" || entry.source === source) &&
      (!tools || toolCalls(entry.trajectory).made > 0) &&
      (update === null || entry.update === update),
  );
}

type ChosenFilter = Omit<TraceFilter, "update">;

const EVERYTHING: ChosenFilter = { outcome: "all", source: "all", tools: false };

export function TraceList() {
  const stored = useRun((view) => view.trajectories);
  const config = useRun((view) => view.config);
  const [params, setParams] = useSearchParams();
  const [chosen, setChosen] = useState(EVERYTHING);
  const update = params.get("update");
  const shown = filtered(stored, { ...chosen, update: update === null ? null : Number(update) });
  return (
    <div className="mx-auto flex w-full max-w-[1200px] flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-h2 font-semibold">Traces</h1>
        <span className="nums text-dense text-muted">
          {shown.length === stored.length
            ? counted(stored.length, "episode")
            : `${shown.length} of ${counted(stored.length, "episode")}`}
        </span>
        <span className="flex-1" />
        {update !== null && (
          <button type="button" className="btn btn-small" onClick={() => setParams({})}>
            <ListFilter size={14} aria-hidden /> Update {update} · show all
          </button>
        )}
        <Filters stored={stored} chosen={chosen} onChange={setChosen} />
      </div>
      {stored.length > 0 && <p className="text-dense text-muted">{SAMPLE}</p>}
      <AboutDemonstrations shown={shown} config={config} />
      {shown.length > 0 ? <Rows shown={shown} config={config} /> : <NoRows any={stored.length > 0} />}
    </div>
  );
}

/** Only filters that separate the stored episodes are offered. */
function Filters({
  stored,
  chosen,
  onChange,
}: {
  stored: readonly StoredTrajectory[];
  chosen: ChosenFilter;
  onChange: (next: ChosenFilter) => void;
}) {
  const sources = SOURCES.filter((source) => stored.some((entry) => entry.source === source));
  const hasTools = stored.some(({ trajectory }) => toolCalls(trajectory).made > 0);
  return (
    <>
      {hasTools && (
        <button
          type="button"
          className="btn btn-small"
          aria-pressed={chosen.tools}
          onClick={() => onChange({ ...chosen, tools: !chosen.tools })}
        >
          <ToolIcon size={14} aria-hidden /> With tool calls
        </button>
      )}
      {sources.length > 1 && (
        <Segmented
          name="Source"
          value={chosen.source}
          choices={[
            { value: "all", label: "All" },
            ...sources.map((value) => ({ value, label: PROVENANCE[value].word })),
          ]}
          onChange={(source) => onChange({ ...chosen, source })}
        />
      )}
      <Segmented
        name="Outcome"
        value={chosen.outcome}
        choices={OUTCOMES}
        onChange={(outcome) => onChange({ ...chosen, outcome })}
      />
    </>
  );
}

/** Only some episodes are listed, which the page must say. */
const SAMPLE = `A sample: up to ${SHOWN_TRAJECTORIES} episodes of each update (a success, a failure and a random one) and one of each validation. This page keeps the newest ${KEPT_TRAJECTORIES}; the newest ${KEPT_TRACES} survive a reload.`;

const SOURCES: readonly Provenance[] = ["demonstration", "train", "validation"];
const ToolIcon = SECTION_LOOKS.call.icon;

/** Demonstrations must not look like episodes of the policy. */
function AboutDemonstrations({
  shown,
  config,
}: {
  shown: readonly StoredTrajectory[];
  config: RunConfig | null;
}) {
  if (!shown.some(({ source }) => source === "demonstration")) return null;
  const cut = config && shown.some((stored) => isOneTurn(stored, config));
  return (
    <p className="max-w-[90ch] text-dense text-muted">
      <strong className="font-semibold text-text">Demonstrations</strong> are scripted episodes that the
      policy imitates during SFT. They show what the policy is taught, not what it can do.{" "}
      {cut && oneTurnText(config)}
    </p>
  );
}

function NoRows({ any }: { any: boolean }) {
  if (any)
    return <EmptyState title="No episode matches">Change the filters above to see the others.</EmptyState>;
  return (
    <EmptyState title="No episodes yet">
      <p className="mb-3">
        While a run trains, a few episodes of every update appear here, token by token. The newest are stored
        with the run and come back when it is resumed or opened.
      </p>
      <Link className="btn" to="/train">
        Go to Train
      </Link>
    </EmptyState>
  );
}

/** Hidden on a phone, to leave room for the other columns; the trace itself has the value. */
const WIDE = "max-sm:hidden";

interface Column {
  head: string;
  wide: boolean;
  cell: (stored: StoredTrajectory, config: RunConfig | null) => ReactNode;
  /** The column is shown if any row has a value; absent: always. */
  has?: (stored: StoredTrajectory) => boolean;
  look?: string;
}

const COLUMNS: readonly Column[] = [
  { head: "Level", wide: false, cell: (stored) => <Level stored={stored} /> },
  {
    head: "Environment",
    wide: false,
    cell: ({ trajectory: { entry, envId } }) => entry ?? envId,
    // Only runs in several environments name them.
    has: ({ trajectory }) => trajectory.entry !== undefined,
  },
  { head: "Outcome", wide: false, cell: (stored, config) => <OutcomeChip stored={stored} config={config} /> },
  { head: "Update", wide: false, cell: ({ update }) => update },
  { head: "Return", wide: false, cell: ({ trajectory }) => formatSigned(returnOf(trajectory)) },
  { head: "Turns", wide: true, cell: ({ trajectory }) => trajectory.turns.length },
  {
    head: "Tool calls",
    wide: true,
    cell: ({ trajectory }) => <ToolCalls {...toolCalls(trajectory)} />,
    has: ({ trajectory }) => toolCalls(trajectory).made > 0,
  },
  right("Observations right", "observation"),
  right("Predictions right", "prediction"),
  {
    head: "Source",
    wide: true,
    cell: ({ source }) => <span title={PROVENANCE[source].about}>{PROVENANCE[source].word}</span>,
    look: "text-muted",
  },
];

/** How many claims were right; no column at all where none was judged. */
function right(head: string, claim: "observation" | "prediction"): Column {
  return {
    head,
    wide: true,
    cell: ({ trajectory }) => <Right {...countRight(trajectory, claim)} />,
    has: ({ trajectory }) => countRight(trajectory, claim).of > 0,
  };
}

function Right({ right: count, of }: { right: number; of: number }) {
  if (of === 0) return <Nothing why="Nothing of the kind was judged in this episode" />;
  return `${count} of ${of}`;
}

/** A dash that says why there is no number. */
function Nothing({ why }: { why: string }) {
  return (
    <span className="text-muted" title={why}>
      <span aria-hidden>–</span>
      <span className="visually-hidden">{why}</span>
    </span>
  );
}

function ToolCalls({ made, failed }: { made: number; failed: number }) {
  if (made === 0) return <Nothing why="No tool was called" />;
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <ToolIcon size={13} aria-hidden /> {made}
      {failed > 0 && <span className="text-danger">, {failed} failed</span>}
    </span>
  );
}

function Level({ stored }: { stored: StoredTrajectory }) {
  const { trajectory } = stored;
  const image = trajectory.turns[0]?.observation.images[0];
  return (
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
  );
}

function OutcomeChip({ stored, config }: { stored: StoredTrajectory; config: RunConfig | null }) {
  const outcome = outcomeOfStored(stored, config);
  const { made } = toolCalls(stored.trajectory);
  return (
    <span className="inline-flex items-center gap-1.5">
      <Chip tone={outcome.tone}>
        <span aria-hidden>{outcome.mark}</span>
        <span className="max-sm:visually-hidden">{outcomeText(outcome)}</span>
      </Chip>
      {made > 0 && (
        <span className="text-muted sm:hidden" title={counted(made, "tool call")}>
          <ToolIcon size={14} aria-hidden />
          <span className="visually-hidden">{counted(made, "tool call")}</span>
        </span>
      )}
    </span>
  );
}

function Rows({ shown, config }: { shown: readonly StoredTrajectory[]; config: RunConfig | null }) {
  const columns = COLUMNS.filter(({ has }) => !has || shown.some(has));
  return (
    <div className="card overflow-x-auto">
      <table className="nums w-full text-dense">
        <thead className="bg-panel text-left text-caption text-muted">
          <tr>
            {columns.map(({ head, wide }) => (
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
            <tr key={stored.key} className="border-t border-line [content-visibility:auto] hover:bg-panel">
              {columns.map(({ head, wide, look = "", cell }) => (
                <td key={head} className={`px-3 py-1.5 max-sm:px-2 ${wide ? WIDE : ""} ${look}`}>
                  {cell(stored, config)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
