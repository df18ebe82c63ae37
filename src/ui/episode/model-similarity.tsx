// How similar a drawing is to its icon by models that the user supplies as ONNX, and where they are chosen.
import { useEffect, useState } from "react";
import { serializeError } from "../../core/errors.ts";
import type { SceneTruth } from "../../core/types.ts";
import { type ComparedDrawing, type SimilarityModel, similarityTitles } from "../../worker/onnx-protocol.ts";
import { knownSimilarity, similarityOf } from "../session/similarity.ts";
import { wholeText } from "../settings/words.ts";
import { useRun } from "../store/run-store.ts";
import { kindsInRun, useSimilarity } from "../store/similarity-store.ts";
import { ModelRow } from "./model-row.tsx";

interface ModelSimilarityProps extends ComparedDrawing {
  /** Of the state, with the scores that a run's models gave. */
  facts: NonNullable<SceneTruth["facts"]>;
}

/** Below a comparison: a line for each model of the user's, and the place to choose one. */
export default function ModelSimilarity({ icon, drawing, facts }: ModelSimilarityProps) {
  const models = useSimilarity();
  const inRun = useRun((view) => kindsInRun(view).join(" ")).split(" ");
  // The worker of the run has its models open. What they have said need not open them here as well.
  const isScored = (kind: string) => inRun.includes(kind) && typeof facts[kind] === "number";
  return (
    <>
      {similarityTitles.map(({ id, title }) => {
        const model = models[id];
        if (!model || isScored(id)) return null;
        const key = `${model.key} ${icon} ${drawing}`;
        return <Score key={key} model={model} title={title} icon={icon} drawing={drawing} />;
      })}
      <details className="mt-1 text-caption text-muted" data-testid="similarity-models">
        <summary className="w-fit cursor-pointer rounded">Compare with your own model</summary>
        <Models />
      </details>
    </>
  );
}

interface ScoreProps extends ComparedDrawing {
  model: SimilarityModel;
  title: string;
}

/** What one model says of one drawing. */
function Score({ title, ...compared }: ScoreProps) {
  const { value, problem, tryAgain } = useScore(compared);
  const name = `${title} (your model)`;
  if (problem)
    return (
      <div className="mt-0.5 text-caption">
        <p role="alert" className="break-words text-danger">
          {name}: {problem}
        </p>
        <button
          type="button"
          className="btn btn-small mt-1"
          aria-label={`Try again with the ${title} model`}
          onClick={tryAgain}
        >
          Try again
        </button>
      </div>
    );
  return (
    <p
      className="nums mt-0.5 text-caption"
      title={compared.model.file.name}
      data-testid="model-similarity"
      aria-busy={value === undefined}
    >
      {name} {value === undefined ? <span className="text-muted">is computed…</span> : value.toFixed(2)}
    </p>
  );
}

/** The score of a drawing, undefined until it is computed, or why it cannot be, and how to try again. For a component that never shows another drawing. */
function useScore({ model, icon, drawing }: Omit<ScoreProps, "title">) {
  const [value, setValue] = useState(() => knownSimilarity(model, { icon, drawing }));
  const [problem, setProblem] = useState("");
  const [attempt, setAttempt] = useState(0);
  const isKnown = value !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks the same again
  useEffect(() => {
    if (isKnown) return;
    const { signal, abort } = abortable();
    similarityOf(model, { icon, drawing }, signal).then(setValue, (error) => {
      if (!signal.aborted) setProblem(wholeText(serializeError(error)));
    });
    return abort;
  }, [model, icon, drawing, isKnown, attempt]);
  const tryAgain = () => {
    setProblem("");
    setAttempt(attempt + 1);
  };
  return { value, problem, tryAgain };
}

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** What such a model is, and a row for each kind. */
function Models() {
  return (
    <div className="mt-1 flex flex-col gap-2">
      <p>
        Choose an image encoder as an ONNX file. It runs in your browser, and no file leaves this machine. The
        page keeps the choice until it is reloaded or closed. Rewards change only in a run whose options give
        the model a weight.
      </p>
      {similarityTitles.map(({ id, title }) => (
        <ModelRow key={id} kind={id} title={title} />
      ))}
    </div>
  );
}
