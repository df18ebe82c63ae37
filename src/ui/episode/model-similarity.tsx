// How similar a drawing is to its icon by models that the user supplies as ONNX, and where they are chosen.
import { useEffect, useState } from "react";
import { serializeError } from "../../core/errors.ts";
import { type ComparedDrawing, type SimilarityModel, similarityTitles } from "../../worker/onnx-protocol.ts";
import { FileButton } from "../components/file-button.tsx";
import { knownSimilarity, openModel, removeModel, similarityOf } from "../session/similarity.ts";
import { wholeText } from "../settings/words.ts";
import { useSimilarity } from "../store/similarity-store.ts";

/** Below a comparison: a line for each model of the user's, and the place to choose one. */
export default function ModelSimilarity({ icon, drawing }: ComparedDrawing) {
  const models = useSimilarity();
  return (
    <>
      {similarityTitles.map(({ id, title }) => {
        const model = models[id];
        if (!model) return null;
        const key = `${model.key} ${icon} ${drawing}`;
        return <Score key={key} model={model} title={title} icon={icon} drawing={drawing} />;
      })}
      <details className="mt-1 text-caption text-muted" data-testid="similarity-models">
        <summary className="w-fit cursor-pointer rounded">Compare with your own model</summary>
        <Models models={models} />
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
function Models({ models }: { models: Readonly<Record<string, SimilarityModel>> }) {
  return (
    <div className="mt-1 flex flex-col gap-2">
      <p>
        Choose an image encoder as an ONNX file. Your browser computes it, and no file leaves this machine.
        The page keeps the choice until it is reloaded or closed. Rewards do not change.
      </p>
      {similarityTitles.map(({ id, title }) => (
        <ModelRow key={id} kind={id} title={title} model={models[id]} />
      ))}
    </div>
  );
}

interface ModelRowProps {
  kind: string;
  title: string;
  /** Undefined before one is chosen. */
  model: SimilarityModel | undefined;
}

/** The model of one kind, and the buttons to choose and to remove it. */
function ModelRow({ kind, title, model }: ModelRowProps) {
  const { opening, problem, open, remove } = useModelFile(kind);
  return (
    <fieldset aria-label={title} className="min-w-0" aria-busy={opening !== ""}>
      {model && (
        <p className="mb-1 break-words text-text">
          {title}: {model.file.name}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <FileButton name={`${title} model`} accept=".onnx" disabled={opening !== ""} onFile={open}>
          {model ? "Other…" : `${title} model…`}
        </FileButton>
        {model && (
          <button
            type="button"
            className="btn btn-small"
            aria-label={`Remove ${title} model`}
            onClick={remove}
          >
            Remove
          </button>
        )}
      </div>
      {opening && (
        <p role="status" className="mt-1 break-words">
          Opening {opening} with ONNX Runtime (13.6 MiB)…
        </p>
      )}
      {problem && (
        <p role="alert" className="mt-1 break-words text-danger">
          {title} model: {problem}
        </p>
      )}
    </fieldset>
  );
}

/** Opens and removes the model of a kind. `opening` is the name of the file that is being opened; `problem` says why the last one could not be. */
function useModelFile(kind: string) {
  const [opening, setOpening] = useState("");
  const [problem, setProblem] = useState("");
  const open = async (file: File) => {
    setProblem("");
    setOpening(file.name);
    await openModel(kind, file).catch((error) => setProblem(wholeText(serializeError(error))));
    setOpening("");
  };
  const remove = () => {
    setProblem("");
    void removeModel(kind);
  };
  return { opening, problem, open: (file: File) => void open(file), remove };
}
