// The steps before the first update, so that a step that hangs can be identified.
import { Check, LoaderCircle } from "lucide-react";
import { LoadBar } from "../components/load-bar.tsx";
import { useRun } from "../store/run-store.ts";
import { useSession } from "../store/session-store.ts";

const TITLES = {
  model: "Build the model",
  allocate: "Allocate GPU memory",
  compile: "Compile GPU programs",
  restore: "Restore the checkpoint",
} as const;

export function Preparing() {
  const steps = useRun((view) => view.prepare);
  const loads = useSession((session) => session.loads);
  const loading = Object.entries(loads).flatMap(([id, load]) =>
    load.state === "loading" ? [{ id, ...load }] : [],
  );
  const recovering = useRun((view) => view.state === "recovering");
  return (
    <section className="card mx-auto w-full max-w-xl p-5" aria-label="Preparing">
      <h2 className="mb-3 text-lead font-semibold">
        {recovering ? "Rebuilding the run on a new device" : "Preparing the run"}
      </h2>
      {loading.map(({ id, progress }) => (
        <LoadBar key={id} progress={progress} className="mb-3" />
      ))}
      {steps.length === 0 && loading.length === 0 && (
        <p className="flex items-center gap-2 text-dense text-muted">
          <LoaderCircle size={16} aria-hidden className="animate-spin" /> Waiting for the training worker…
        </p>
      )}
      <ol className="flex flex-col gap-3">
        {steps.map(({ step, done, of, detail }) => (
          <li key={step}>
            <div className="flex items-center gap-2 text-dense">
              {done >= of ? (
                <Check size={16} aria-hidden className="text-ok" />
              ) : (
                <LoaderCircle
                  size={16}
                  aria-hidden
                  className={done > 0 ? "animate-spin text-accent" : "text-muted"}
                />
              )}
              <span>{TITLES[step]}</span>
              <span className="nums ml-auto text-muted">{detail || `${done} of ${of}`}</span>
            </div>
            <progress className="visually-hidden" value={done} max={of} aria-label={TITLES[step]} />
            <div className="mt-1 h-1 overflow-hidden rounded-full bg-line" aria-hidden>
              <div className="h-full bg-accent" style={{ width: `${of > 0 ? (100 * done) / of : 0}%` }} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
