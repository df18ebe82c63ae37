// The dialog in which an extension is written. It belongs to no panel, which may be hidden while it is open.
import { useEffect, useMemo, useRef } from "react";
import { Dialog } from "../components/controls.tsx";
import { setDraftText, useExtensionDraft } from "../store/extension-draft.ts";
import { useExtensions } from "../store/extension-store.ts";
import { useRun } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { addExtension, closeEditor, replaceText } from "./extension-changes.ts";
import { Editor } from "./extension-editor.tsx";
import { linesNamed, Refused, Reports } from "./extension-reports.tsx";

export function ExtensionDialog() {
  const { text, editing, changing } = useExtensionDraft();
  // Leaving the room closes its dialog.
  useEffect(() => () => useExtensionDraft.setState({ editing: false, problem: null }), []);
  const busy = useRun((view) => isActive(view.state));
  return (
    <Dialog title="Extension" wide open={editing} onClose={closeEditor}>
      <Editor
        text={text}
        onText={setDraftText}
        onReplace={replaceText}
        busy={busy}
        trying={changing}
        wrong={useWrongLines()}
        onAdd={addExtension}
      >
        <Failure />
      </Editor>
    </Dialog>
  );
}

/** The lines that the problem and the failed checks name. The editor moves its marks with the text; a text that has changed opens without. */
function useWrongLines(): readonly number[] {
  const { problem, editing } = useExtensionDraft();
  return useMemo(() => {
    const { text } = useExtensionDraft.getState();
    if (!editing || problem?.source !== text.source) return [];
    return linesNamed(problem.message, useExtensions.getState().reports[text.source] ?? []);
  }, [problem, editing]);
}

/** Why the text in the editor was refused. It comes into view: the editor may be taller than the screen. */
function Failure() {
  const { problem } = useExtensionDraft();
  const source = problem?.source;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) place.current?.scrollIntoView({ block: "nearest" });
  }, [problem]);
  return (
    <div ref={place} className="flex flex-col gap-1.5 empty:hidden">
      {source !== undefined && (
        <>
          <Refused problem={problem} />
          <Reports source={source} />
        </>
      )}
    </div>
  );
}
