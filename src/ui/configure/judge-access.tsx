// The key of a judging model, or the file of a recorded judge: entered where a run starts or resumes, and never stored.
import { Download } from "lucide-react";
import { useId } from "react";
import { optionTitle } from "../../config/describe.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { isLoopback } from "../../core/address.ts";
import { Explain } from "../components/controls.tsx";
import { FileButton } from "../components/file-button.tsx";
import { downloadVerdicts } from "../session/session.ts";
import {
  chooseRecording,
  isAllowed,
  keepRecording,
  keyFor,
  setAllowed,
  setKey,
  useJudgeStore,
} from "../store/judge-store.ts";
import { useRun } from "../store/run-store.ts";

export const JUDGE_ACCESS = "judge-access";

/** What the judge of the draft needs; nothing is shown for a judge that needs nothing. */
export function JudgeAccess({ config }: { config: RunConfig }) {
  const { name } = config.judge;
  if (name !== "llm" && name !== "recorded") return null;
  return (
    <div id={JUDGE_ACCESS} className="mt-1 flex flex-col gap-2 rounded border border-line bg-panel p-2">
      {name === "llm" ? (
        <KeyField config={config} />
      ) : (
        <RecordingField config={config} onFile={chooseRecording} />
      )}
      {name === "llm" && <VerdictsButton />}
    </div>
  );
}

/** What the judge of a stored run needs before the run can continue: keys and files do not outlive a reload. */
export function StoredJudgeAccess({ config }: { config: RunConfig }) {
  const { name, recording } = config.judge;
  // The run knows the file by its name; the chosen file may have another one.
  const keep = (file: File) => keepRecording(new File([file], recording));
  return name === "llm" ? <KeyField config={config} /> : <RecordingField config={config} onFile={keep} />;
}

function KeyField({ config }: { config: RunConfig }) {
  const id = useId();
  const key = useJudgeStore((state) => keyFor(state, config));
  const wanted = config.judge.base_url === "";
  return (
    <div className="max-w-md min-w-0">
      <div className="flex items-center gap-1">
        <label htmlFor={id} className="text-dense">
          Key of the judge's endpoint
        </label>
        <AboutKey config={config} />
      </div>
      <input
        id={id}
        type="password"
        className="field-input mt-0.5 w-full"
        autoComplete="off"
        spellCheck={false}
        value={key}
        placeholder={wanted ? "required" : "empty if it needs none"}
        aria-describedby={`${id}-help`}
        onChange={(event) => setKey(config, event.target.value)}
      />
      <p id={`${id}-help`} className="mt-0.5 text-caption text-muted">
        Kept in this tab's memory only. Goes to {endpointText(config)}, nowhere else.
      </p>
      {!wanted && key === "" && <AllowedWithoutKey config={config} />}
    </div>
  );
}

/** The address may come from a file, so another machine gets claims and states only with consent. */
function AllowedWithoutKey({ config }: { config: RunConfig }) {
  const allowed = useJudgeStore((state) => isAllowed(state, config));
  if (isLoopback(config.judge.base_url)) return null;
  return (
    <label className="mt-1 flex items-center gap-2 text-dense">
      <input
        type="checkbox"
        checked={allowed}
        onChange={(event) => setAllowed(config, event.target.checked)}
      />
      Send claims and states to this address without a key
    </label>
  );
}

/** "https://host/v1", or the provider whose address it is. */
const endpointText = ({ judge }: RunConfig): string =>
  judge.base_url || `the address of ${optionTitle("judge.provider", judge.provider).split(",")[0]}`;

function AboutKey({ config }: { config: RunConfig }) {
  return (
    <Explain about="Key of the judge's endpoint">
      <p className="mb-1 font-semibold">Where the key goes</p>
      <p>
        To the training worker of this tab, and with each request to {endpointText(config)}. It is in no
        configuration, link, checkpoint, recording or storage; after a reload you enter it again. Each request
        also contains a claim and, if the scoring is YES or NO, the true state.
      </p>
      <p className="mt-1">
        An endpoint must allow requests from pages (CORS). Servers on your own machine: vLLM, SGLang and
        llama.cpp do; Ollama needs OLLAMA_ORIGINS for pages that are not served from your machine; LM Studio
        has a switch “Enable CORS”.
      </p>
    </Explain>
  );
}

function RecordingField({ config, onFile }: { config: RunConfig; onFile: (file: File) => void }) {
  const { recording } = config.judge;
  const chosen = useJudgeStore(({ recordings }) => recordings[recording] !== undefined);
  return (
    <div className="min-w-0 text-dense">
      <div className="flex flex-wrap items-center gap-2">
        <FileButton name="Recording of verdicts" accept=".jsonl" onFile={onFile}>
          {chosen ? "Another recording…" : "Choose the recording…"}
        </FileButton>
        <span className="min-w-0 truncate">{chosen ? recording : recording && `wanted: ${recording}`}</span>
      </div>
      <p className="mt-1 text-caption text-muted">
        A file verdicts.jsonl from a run that a language model judged. It stays on this machine and is kept
        with the run.
      </p>
    </div>
  );
}

/** What was paid for can be kept, when a model judges the run on screen. */
export function VerdictsButton() {
  const judged = useRun((view) => view.runId !== null && view.config?.judge.name === "llm");
  if (!judged) return null;
  return (
    <button
      type="button"
      className="btn btn-small w-fit"
      title="Download the verdicts of this run. Another run can use them without requests to the model."
      onClick={() => void downloadVerdicts()}
    >
      <Download size={14} aria-hidden /> Download verdicts
    </button>
  );
}
