// A configuration from a file: a card among the presets, and a button next to their list.
import { FileUp } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { GENERATION_NAMES } from "../../config/vagen/key-mapping.ts";
import { serializeError } from "../../core/errors.ts";
import { loadDraft, useDraft } from "../store/draft-store.ts";
import { activeExtensions, useExtensions } from "../store/extension-store.ts";
import { ImportDialog, type ImportReport } from "./import-dialog.tsx";
import { openFiles } from "./open-files.ts";

/** The card, large enough to say what may be opened. */
export function OpenFileCard() {
  const { problem, open, dialog } = useOpenFile();
  const id = useId();
  return (
    <>
      <label
        htmlFor={id}
        className="relative flex h-full w-full cursor-pointer items-start gap-3 rounded-lg border border-dashed border-line-strong p-3 focus-within:outline-2 focus-within:outline-accent hover:border-control"
      >
        <span className="flex size-20 flex-none items-center justify-center rounded-md bg-panel text-muted">
          <FileUp size={24} aria-hidden />
        </span>
        <span className="min-w-0">
          <span className="block text-body font-semibold">Open a configuration</span>
          <span className="block text-caption text-muted">
            A YAML file with any of the parameters; the rest take their defaults. VAGEN's own files work too:
            trainer, dataset or script. They stay on this machine.
          </span>
          <FileInput id={id} onOpen={open} />
          {problem}
        </span>
      </label>
      {dialog}
    </>
  );
}

/** The button, wherever a configuration can be edited. */
export function OpenFileButton() {
  const { problem, open, dialog } = useOpenFile();
  const id = useId();
  return (
    <>
      <label
        htmlFor={id}
        className="relative cursor-pointer rounded text-caption text-accent underline underline-offset-2 focus-within:outline-2 focus-within:outline-accent"
        title="A YAML file from the studio or from VAGEN"
      >
        From a file…
        <FileInput id={id} onOpen={open} />
      </label>
      {problem}
      {dialog}
    </>
  );
}

/** Where a draft came from: "trainer.yaml (VAGEN-Lite)". */
const sourceOf = ({ names, imported }: ImportReport): string =>
  `${names.join(", ")} (${GENERATION_NAMES[imported.generation]})`;

interface Opening {
  /** The problem with the last file, as shown; null when there was none. */
  problem: ReactNode;
  open(files: File[]): void;
  /** Asks for confirmation before the files of VAGEN or AReaL are used. */
  dialog: ReactNode;
}

function useOpenFile(): Opening {
  const [problem, setProblem] = useProblem();
  const [report, setReport] = useState<ImportReport | null>(null);
  const open = async (files: File[]) => {
    if (files.length === 0) return;
    try {
      const opened = await openFiles(files, activeExtensions());
      setProblem("");
      if (opened.kind === "ours") loadDraft(opened.config, null, `the file ${files[0]!.name}`);
      else setReport(opened);
    } catch (error) {
      const { message, hint } = serializeError(error);
      setProblem(`${message} ${hint ?? ""}`);
    }
  };
  const use = () => {
    if (report) loadDraft(report.imported.config, null, sourceOf(report));
    setReport(null);
  };
  return {
    problem: problem && (
      <span role="alert" className="mt-1 block w-full text-caption whitespace-pre-line text-danger">
        {problem}
      </span>
    ),
    open: (files) => void open(files),
    dialog: <ImportDialog report={report} onUse={use} onClose={() => setReport(null)} />,
  };
}

/**
 * The problem with the last file, until the user changes the form or its extensions, or starts a run. What the page itself loads into the empty
 * form, or checks again, is no such change.
 */
function useProblem(): [string, (problem: string) => void] {
  const [problem, setProblem] = useState("");
  const draft = useDraft((state) => state.draft);
  const runId = useDraft((state) => state.runId);
  const extensions = useExtensions((state) => state.registered);
  const last = useRef({ draft, runId, extensions });
  useEffect(() => {
    const before = last.current;
    last.current = { draft, runId, extensions };
    const hasChanged =
      runId !== before.runId ||
      extensions !== before.extensions ||
      JSON.stringify(draft) !== JSON.stringify(before.draft);
    if (before.draft && hasChanged) setProblem("");
  }, [draft, runId, extensions]);
  return [problem, setProblem];
}

function FileInput({ id, onOpen }: { id: string; onOpen: (files: File[]) => void }) {
  return (
    <input
      id={id}
      type="file"
      accept=".yaml,.yml,.sh,.txt"
      multiple
      className="visually-hidden"
      onChange={(event) => {
        // A copy: clearing the input, so that the same file can be chosen again, empties its list.
        onOpen([...(event.target.files ?? [])]);
        event.target.value = "";
      }}
    />
  );
}
