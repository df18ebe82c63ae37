// While an environment is loaded, or after that has failed: in place of its game, or beside what is shown meanwhile.
import { type EnvLoad, envTitle } from "../../envs/registry.ts";
import { Skeleton } from "../components/controls.tsx";
import { LoadBar, loadText } from "../components/load-bar.tsx";
import { LoadFailure } from "../components/load-failure.tsx";
import { retryLoad, useLoadOf } from "../lib/use-env.ts";

interface EnvLoadingProps {
  id: string;
  load: EnvLoad;
  /** Size and place of the whole. */
  className?: string;
}

/** What is loaded and how far it is, or why it could not be, with a button that tries again. */
export function EnvLoading({ id, load, className = "h-80" }: EnvLoadingProps) {
  if (load.state === "loading") return <LoadBar progress={load.progress} className={className} />;
  if (load.state !== "failed") return <div className={`skeleton rounded-lg ${className}`} aria-busy="true" />;
  const problem = `${load.problem} ${load.remedy}`.trim();
  return (
    <LoadFailure what={envTitle(id)} problem={problem} retry={() => retryLoad(id)} className={className} />
  );
}

/** The same in one line; nothing once it is loaded. Loads nothing by itself. */
export function LoadLine({ id }: { id: string }) {
  const load = useLoadOf(id);
  if (load.state === "failed")
    return (
      <span role="alert" className="inline-flex flex-wrap items-center gap-2">
        {load.remedy}
        <button type="button" className="btn btn-small" onClick={() => retryLoad(id)}>
          Try again
        </button>
      </span>
    );
  if (load.state !== "loading") return null;
  const { bytes, of } = load.progress;
  const share = of !== null && bytes < of ? { value: bytes, max: of } : {};
  return (
    <span className="inline-flex items-center gap-2">
      {loadText(load.progress)}
      <progress className="load-bar w-24" aria-label={loadText(load.progress)} {...share} />
    </span>
  );
}

/** While a recorded episode is fetched, and then its environment. */
export function RecordingLoading({ env, className }: { env: string; className: string }) {
  const load = useLoadOf(env);
  if (load.state === "loading") return <LoadBar progress={load.progress} className={className} />;
  return <Skeleton what="Loading the recording" count={1} className="" item={`rounded-lg ${className}`} />;
}
