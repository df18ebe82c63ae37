// A bundled replay as a trace, token by token.
import { FileQuestion } from "lucide-react";
import { useMemo } from "react";
import { Link, useParams } from "react-router";
import { caseStudies } from "../../replay/case-studies.ts";
import { wholeNumber } from "../../replay/moment.ts";
import type { Replay } from "../../replay/replay.ts";
import { EmptyState } from "../components/controls.tsx";
import { LoadFailure } from "../components/load-failure.tsx";
import { RecordingLoading } from "../episode/env-loading.tsx";
import { useReplays } from "../replay/load-replay.ts";
import { TraceView } from "../trace/trace-view.tsx";

const NONE: readonly string[] = [];

export default function ReplayTraceRoute() {
  const { case: id, n } = useParams();
  const study = caseStudies.find((known) => known.id === id);
  const replay = study?.replays[(wholeNumber(n ?? null) ?? 0) - 1];
  const ids = useMemo(() => (replay ? [replay.id] : NONE), [replay]);
  const loading = useReplays(ids);
  if (!study || !replay) return <Missing />;
  if (loading.state === "loading") return <RecordingLoading env={study.env} className="m-4 h-96" />;
  if (loading.state === "failed")
    return (
      <div className="m-auto">
        <h1 className="visually-hidden">Replay not loaded</h1>
        <LoadFailure what="The replay" {...loading} />
      </div>
    );
  return <Trace key={replay.id} replay={loading.replays[0]!} back={`/replay/${id}`} />;
}

function Trace({ replay: { id, trajectory, config, provenance }, back }: { replay: Replay; back: string }) {
  const stored = useMemo(
    () => ({ key: id, update: provenance.update, source: "validation" as const, trajectory }),
    [id, trajectory, provenance],
  );
  return <TraceView stored={stored} config={config} back={{ to: back, name: "The case study" }} />;
}

function Missing() {
  return (
    <div className="m-auto">
      <h1 className="visually-hidden">Replay not found</h1>
      <EmptyState icon={FileQuestion} title="There is no such replay">
        <Link className="btn" to="/">
          Go to the front page
        </Link>
      </EmptyState>
    </div>
  );
}
