// The steps before the first update, so that a step that hangs can be identified.
import { Check, LoaderCircle } from "lucide-react";
import { similarityTitles } from "../../worker/onnx-protocol.ts";
import { LoadBar, openingOf } from "../components/load-bar.tsx";
import { useRun } from "../store/run-store.ts";
import { useSession } from "../store/session-store.ts";
import { paidKinds, useSimilarity } from "../store/similarity-store.ts";

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
  const models = useOpeningModels();
  const recovering = useRun((view) => view.state === "recovering");
  return (
    <section className="card mx-auto w-full max-w-xl p-5" aria-label="Preparing">
      <h2 className="mb-3 text-lead font-semibold">
        {recovering ? "Rebuilding the run on a new device" : "Preparing the run"}
      </h2>
      {loading.map(({ id, progress }) => (
        <LoadBar key={id} progress={progress} className="mb-3" />
      ))}
      {models.map(({ title, file }) => (
        <LoadBar
          key={title}
          progress={openingOf({ name: `${title} model ${file.name}`, size: file.size })}
          className="mb-3 [overflow-wrap:anywhere]"
        />
      ))}
      {steps.length === 0 && loading.length === 0 && models.length === 0 && (
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

/** The models of the user's that a run opens before its first step. It is built again, after its device was lost, with its models open. */
function useOpeningModels(): { title: string; file: File }[] {
  const models = useSimilarity();
  const config = useRun(({ state, prepare, config }) =>
    state === "preparing" && prepare.length === 0 ? config : null,
  );
  const kinds = config ? paidKinds(config) : [];
  return similarityTitles.flatMap(({ id, title }) => {
    const file = models[id]?.file;
    return file && kinds.includes(id) ? [{ title, file }] : [];
  });
}
