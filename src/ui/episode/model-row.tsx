// Where the user chooses a model that compares drawings.
import { useState } from "react";
import { serializeError } from "../../core/errors.ts";
import { FileButton } from "../components/file-button.tsx";
import { LoadBar, openingOf } from "../components/load-bar.tsx";
import { openModel, removeModel } from "../session/similarity.ts";
import { wholeText } from "../settings/words.ts";
import { useSimilarity } from "../store/similarity-store.ts";

interface ModelRowProps {
  kind: string;
  title: string;
}

/** The model of one kind, and the buttons to choose and to remove it. */
export function ModelRow({ kind, title }: ModelRowProps) {
  const model = useSimilarity((models) => models[kind]);
  const { opening, problem, open, remove } = useModelFile(kind);
  return (
    <fieldset aria-label={title} className="min-w-0">
      {model && (
        <p className="mb-1 break-words text-text">
          {title}: {model.file.name}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <FileButton name={`${title} model`} accept=".onnx" disabled={opening !== null} onFile={open}>
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
        <LoadBar
          progress={openingOf(opening, "ONNX Runtime (13.6 MiB)")}
          className="mt-1 break-words [overflow-wrap:anywhere]"
        />
      )}
      {problem && (
        <p role="alert" className="mt-1 break-words text-danger">
          {title} model: {problem}
        </p>
      )}
    </fieldset>
  );
}

/** Opens and removes the model of a kind. `opening` is the file that is being opened; `problem` says why the last one could not be. */
function useModelFile(kind: string) {
  const [opening, setOpening] = useState<File | null>(null);
  const [problem, setProblem] = useState("");
  const open = async (file: File) => {
    setProblem("");
    setOpening(file);
    await openModel(kind, file).catch((error) => setProblem(wholeText(serializeError(error))));
    setOpening(null);
  };
  const remove = () => {
    setProblem("");
    void removeModel(kind);
  };
  return { opening, problem, open: (file: File) => void open(file), remove };
}
