// What a trace is of: task, level, outcome, and where it comes from.
import { ArrowLeft, Link2 } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import type { RunConfig } from "../../config/run-config.ts";
import { sequenceSpans } from "../../core/token-sequences.ts";
import { envTitle } from "../../envs/index.ts";
import { Chip, IconButton } from "../components/controls.tsx";
import {
  isOneTurn,
  oneTurnText,
  outcomeOfStored,
  outcomeText,
  PROVENANCE,
  returnOf,
} from "../episode/outcome.ts";
import { PictureSwitch } from "../episode/picture-switch.tsx";
import { counted, formatSigned } from "../lib/format.ts";
import type { StoredTrajectory } from "../store/run-view.ts";

/** Where the arrow leads: to the list of traces, or to the page that shows this one. */
export interface WayBack {
  to: string;
  name: string;
}

const ALL_TRACES: WayBack = { to: "/trace", name: "All traces" };

export function TraceHead({
  stored,
  config,
  back = ALL_TRACES,
}: {
  stored: StoredTrajectory;
  config: RunConfig;
  back?: WayBack | undefined;
}) {
  const { trajectory, update, source } = stored;
  const outcome = outcomeOfStored(stored, config);
  const [copied, setCopied] = useState(false);
  const sequences = sequenceSpans(trajectory).length;
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5 py-3">
      <Link
        to={back.to}
        className="btn btn-quiet btn-icon btn-small"
        aria-label={back.name}
        title={back.name}
      >
        <ArrowLeft size={16} aria-hidden />
      </Link>
      <h1 className="text-h2 font-semibold">
        {envTitle(trajectory.envId)}, level {trajectory.seed}
      </h1>
      <Chip tone={outcome.tone}>
        <span aria-hidden>{outcome.mark}</span> {outcomeText(outcome)}
      </Chip>
      <Chip title={PROVENANCE[source].about}>{PROVENANCE[source].word}</Chip>
      <span className="nums text-dense text-muted">
        update {update} · return {formatSigned(returnOf(trajectory))} ·{" "}
        {counted(trajectory.tokens.ids.length, "token")}
        {sequences > 1 && ` in ${sequences} sequences`}
      </span>
      <span className="flex-1" />
      <PictureSwitch />
      <IconButton
        icon={Link2}
        name={copied ? "Copied" : "Copy the link to this moment"}
        small
        onClick={() => navigator.clipboard.writeText(location.href).then(() => setCopied(true))}
      />
      {source === "demonstration" && (
        <p className="w-full max-w-[90ch] text-dense text-muted">
          {PROVENANCE.demonstration.about} {isOneTurn(stored, config) && oneTurnText(config)}
        </p>
      )}
    </div>
  );
}
