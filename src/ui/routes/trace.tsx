// Traces: the list of remembered episodes, or one of them in depth.
import { FileQuestion } from "lucide-react";
import { Link, useParams } from "react-router";
import { EmptyState } from "../components/controls.tsx";
import { useRun } from "../store/run-store.ts";
import { TraceList } from "../trace/trace-list.tsx";
import { TraceView } from "../trace/trace-view.tsx";

export default function TraceRoute() {
  const { id } = useParams();
  return id === undefined ? <TraceList /> : <OneTrace key={id} id={id} />;
}

function OneTrace({ id }: { id: string }) {
  const stored = useRun((view) => view.trajectories.find((known) => known.key === id) ?? null);
  const config = useRun((view) => view.config);
  if (stored && config) return <TraceView stored={stored} config={config} />;
  return (
    <div className="m-auto">
      <h1 className="visually-hidden">Trace not found</h1>
      <EmptyState icon={FileQuestion} title="This trajectory is not on this page">
        <p className="mb-3">
          Only the newest episodes of a run are kept, and fewer of them after a reload. Start, resume or open
          a run, or look at those that are here.
        </p>
        <Link className="btn" to="/trace">
          All traces
        </Link>
      </EmptyState>
    </div>
  );
}
