// The dialog in which an extension is written. It belongs to no panel, which are drawn again where the window crosses the width of a phone.
import { useEffect, useMemo, useRef } from "react";
import { Dialog } from "../components/controls.tsx";
import { setDraftText, useExtensionDraft } from "../store/extension-draft.ts";
import { useExtensions } from "../store/extension-store.ts";
import { useRun } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { addExtension, closeEditor } from "./extension-changes.ts";
import { Editor } from "./extension-editor.tsx";
import { linesNamed, Refused, Reports } from "./extension-reports.tsx";

export function ExtensionDialog() {
  const { text, editing, changing } = useExtensionDraft();
  const busy = useRun((view) => isActive(view.state));
  return (
    <Dialog title="Extension" wide open={editing} onClose={closeEditor}>
      <Editor
        text={text}
        onText={setDraftText}
        busy={busy}
        trying={changing}
        wrong={useWrongLines()}
        onAdd={addExtension}
      >
        <Failure source={text.source} />
      </Editor>
    </Dialog>
  );
}

/** The lines of the text that was refused last, as its problem and the failed checks name them. */
function useWrongLines(): readonly number[] {
  const { problem } = useExtensionDraft();
  const reports = useExtensions((state) => state.reports);
  return useMemo(() => {
    const { text } = useExtensionDraft.getState();
    return problem ? linesNamed(problem.message, reports[text.source] ?? []) : [];
  }, [problem, reports]);
}

/** Why the text in the editor was refused. It comes into view: the editor may be taller than the screen. */
function Failure({ source }: { source: string }) {
  const { problem } = useExtensionDraft();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) place.current?.scrollIntoView({ block: "nearest" });
  }, [problem]);
  return (
    <div ref={place} className="flex flex-col gap-1.5 empty:hidden">
      <Refused problem={problem} />
      {problem && <Reports source={source} />}
    </div>
  );
}
