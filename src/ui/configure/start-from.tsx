// What the policy's weights start from: nothing, a policy that ships with the studio, or a file.
import { useState } from "react";
import { BUNDLED, bundledFor, continuedStart } from "../../config/bundled.ts";
import { chosenFile, fileChoice } from "../../config/init-checkpoint.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { FileButton } from "../components/file-button.tsx";
import { checkpointProblem } from "../session/session.ts";
import { needText } from "../settings/misfit.ts";
import { wholeText } from "../settings/words.ts";
import { editField } from "../store/draft-store.ts";

const PATH = "trainer.init_checkpoint";

export function StartFrom({
  id,
  draft,
  describedBy,
}: {
  id: string;
  draft: RunConfig;
  describedBy: { "aria-invalid"?: boolean; "aria-describedby"?: string };
}) {
  const value = draft.trainer.init_checkpoint;
  return (
    <div className="mt-0.5 flex flex-wrap items-center gap-1.5">
      <select
        id={id}
        className="field-input max-w-full min-w-[220px] flex-1"
        value={value}
        onChange={(event) => editField(PATH, event.target.value)}
        {...describedBy}
      >
        <option value="">Random weights (SFT first)</option>
        <Bundled draft={draft} />
        <OwnChoice value={value} />
      </select>
      {/* With another choice, what was wrong with a file is over. */}
      <OwnFile key={value} />
      <MadeInSteps draft={draft} />
    </div>
  );
}

function Bundled({ draft }: { draft: RunConfig }) {
  const { fitting, others } = bundledFor(draft);
  return (
    <>
      {fitting.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
      {others.length > 0 && (
        <optgroup label="For other configurations">
          {others.map(({ checkpoint, misfit: missing }) => (
            <option key={checkpoint.id} value={checkpoint.id} disabled>
              {checkpoint.title} (needs {needText(missing)})
            </option>
          ))}
        </optgroup>
      )}
    </>
  );
}

/** Beside random weights: that the policy which ships for such a run was not made in this way. */
function MadeInSteps({ draft }: { draft: RunConfig }) {
  const policy = continuedStart(draft);
  if (!policy) return null;
  return (
    <p className="w-full text-caption text-muted">
      “{policy.title}” was not trained from random weights in a single run of SFT, but in several runs, each
      from the weights of the one before. How far a single run gets has not been measured. These runs are
      listed in{" "}
      <a
        className="underline underline-offset-2"
        href="./checkpoints/README.md"
        target="_blank"
        rel="noopener"
      >
        public/checkpoints/README.md
      </a>
      .
    </p>
  );
}

/** A file, or a name that came with a configuration: neither is in the list. */
function OwnChoice({ value }: { value: string }) {
  const file = chosenFile(value);
  if (file) return <option value={value}>File: {file.name}</option>;
  if (value === "" || BUNDLED.some(({ id }) => id === value)) return null;
  return <option value={value}>{value}</option>;
}

/** A button beside the list rather than an entry in it: walking through a list by keys must not open a dialog. */
function OwnFile() {
  const [problem, setProblem] = useState("");
  const choose = async (file: File) => {
    // The address lives as long as the page: the worker reads the file when the run starts, and again after a loss.
    const url = URL.createObjectURL(file);
    const choice = fileChoice(url, file.name);
    const wrong = await checkpointProblem(choice);
    setProblem(wrong ? wholeText(wrong) : "");
    // What was chosen before stays.
    if (wrong) URL.revokeObjectURL(url);
    else editField(PATH, choice);
  };
  return (
    <>
      <FileButton
        name="Checkpoint file"
        accept=".safetensors"
        title="Start from a .safetensors file that this studio saved; it stays on this machine"
        onFile={(file) => void choose(file)}
      >
        A file…
      </FileButton>
      {problem && (
        <p role="alert" className="w-full text-caption text-danger">
          {problem}
        </p>
      )}
    </>
  );
}
