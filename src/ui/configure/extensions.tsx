// The user's own environments, estimators, reward terms, filters and metrics, pasted as text. docs/extending.md explains them.
import { Download, Plus } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { SECTIONS } from "../../config/describe.ts";
import { type SerializedError, serializeError } from "../../core/errors.ts";
import { isHousesFile } from "../../envs/navigation/houses.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { Chip, Dialog, IconButton } from "../components/controls.tsx";
import { saveFile } from "../lib/save-file.ts";
import { changeExtensions } from "../session/session.ts";
import { EMPTY, endedWith, forgetEnded, setDraftText, useExtensionDraft } from "../store/extension-draft.ts";
import { dropIdle, useExtensions } from "../store/extension-store.ts";
import { useRun } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { Editor } from "./extension-editor.tsx";
import { addedText, Reports } from "./extension-reports.tsx";

/** The first of "extension 1", "extension 2", … that is free. */
export function freeName(taken: readonly string[]): string {
  const names = taken.map((_, i) => `extension ${i + 1}`);
  return names.find((name) => !taken.includes(name)) ?? `extension ${taken.length + 1}`;
}

/** The name of an extension's file. */
export const fileNameOf = (name: string): string =>
  `${name.replace(/\.m?js$/, "").replace(/[^\w.-]+/g, "_")}.mjs`;

/** The extension that was added last in this visit. */
interface Added {
  readonly name: string;
  readonly how: "added" | "replaced";
}

/** The extension that is being written, and the changes to the list of extensions. */
function useEditing() {
  const { active, idle } = useExtensions();
  const [trying, setTrying] = useState(false);
  // Kept while the editor is closed: a click outside must not lose the text.
  const { text, ended } = useExtensionDraft();
  const [editing, setEditing] = useState(ended?.source === text.source);
  const [problem, setProblem] = useState<Problem | null>(ended && endedWith(ended));
  const [added, setAdded] = useState<Added | null>(null);
  const change = async (next: (active: readonly ExtensionSource[]) => readonly ExtensionSource[]) => {
    // An earlier problem would seem to belong to this change.
    setProblem(null);
    setAdded(null);
    forgetEnded();
    setTrying(true);
    try {
      await changeExtensions(next);
      return true;
    } catch (error) {
      setProblem(serializeError(error));
      return false;
    } finally {
      setTrying(false);
    }
  };
  const add = async () => {
    const own = { name: text.name.trim(), source: text.source };
    const without = (all: readonly ExtensionSource[]) => all.filter(({ name }) => name !== own.name);
    const isKnown = active.some(({ name }) => name === own.name);
    const replaced = idle.filter(({ name }) => name === own.name);
    if (!(await change((now) => [...without(now), own]))) return;
    for (const former of replaced) dropIdle(former);
    setDraftText(EMPTY);
    setAdded({ name: own.name, how: isKnown ? "replaced" : "added" });
    setEditing(false);
  };
  const edit = (own: ExtensionSource) => {
    setDraftText(own);
    setEditing(true);
  };
  const begin = () => {
    const taken = [...active, ...idle].map(({ name }) => name);
    // A text that was begun but not added is restored.
    if (!text.name && !text.source) setDraftText({ ...EMPTY, name: freeName(taken) });
    setEditing(true);
  };
  const remove = ({ name }: ExtensionSource) => change((now) => now.filter((own) => own.name !== name));
  const close = () => {
    setEditing(false);
    forgetEnded();
  };
  return {
    text,
    editing,
    close,
    trying,
    problem,
    added,
    add,
    edit,
    begin,
    remove,
  };
}

export function Extensions() {
  const count = useExtensions(({ active, idle }) => [...active, ...idle].filter(isModule).length);
  const busy = useRun((view) => isActive(view.state));
  const { text, editing, close, trying, problem, added, add, edit, begin, remove } = useEditing();
  const [startsOpen] = useState(problem !== null);
  const result = useResult(added, editing);
  return (
    <details open={startsOpen} className="mx-4 mb-4 rounded-md border border-line" data-testid="extensions">
      <summary className="cursor-pointer px-3 py-2 text-dense font-semibold">
        Extensions {count > 0 && <span className="nums text-muted">({count})</span>}
      </summary>
      <div className="flex flex-col gap-3 border-t border-line px-3 py-3">
        <p className="text-caption text-muted">
          Your own environments, estimators, reward terms, filters and metrics, as a JavaScript module. Its
          code runs in workers without network or storage, but can change what a run computes:{" "}
          <strong className="text-warning">only paste what you trust.</strong>
        </p>
        {busy && (
          <p className="text-caption text-muted">Extensions cannot be changed while a run is active.</p>
        )}
        <AddedList
          busy={busy || trying}
          trying={trying}
          onEdit={edit}
          onRemove={remove}
          added={added}
          result={result}
        />
        <button type="button" className="btn btn-small w-fit" disabled={busy} onClick={begin}>
          <Plus size={14} aria-hidden /> Add an extension…
        </button>
        {!editing && <Refused problem={problem} />}
      </div>
      <Dialog title="Extension" wide open={editing} onClose={close}>
        <Editor text={text} onText={setDraftText} busy={busy} trying={trying} onAdd={add}>
          <Failure problem={problem} source={text.source} />
        </Editor>
      </Dialog>
    </details>
  );
}

/**
 * The line about the extension that was added last. It comes into view and takes the focus when the editor closes behind it, unless the
 * user has closed the editor before.
 */
function useResult(added: Added | null, editing: boolean): RefObject<HTMLParagraphElement | null> {
  const line = useRef<HTMLParagraphElement>(null);
  const wasEditing = useRef(editing);
  // After the effect of the dialog, which gives the focus back to the button that opened it.
  useEffect(() => {
    if (added && wasEditing.current) {
      line.current?.closest("li")?.scrollIntoView({ block: "nearest" });
      line.current?.focus({ preventScroll: true });
    }
    wasEditing.current = editing;
  }, [added, editing]);
  return line;
}

type Problem = Pick<SerializedError, "message" | "hint">;

/** Why the text in the editor was refused. It comes into view: the editor may be taller than the screen. */
function Failure({ problem, source }: { problem: Problem | null; source: string }) {
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

function Refused({ problem }: { problem: Problem | null }) {
  if (!problem) return null;
  return (
    <p role="alert" className="text-dense break-words text-danger">
      {problem.message} {problem.hint}
    </p>
  );
}

/** Houses have their own place in the form (`houses.tsx`). */
const isModule = ({ name }: ExtensionSource): boolean => !isHousesFile(name);

interface ListProps {
  busy: boolean;
  /** Another text in the editor would take the place of the one that is being tried. */
  trying: boolean;
  onEdit(text: ExtensionSource): void;
  onRemove(own: ExtensionSource): void;
}

interface AddedProps extends ListProps {
  added: Added | null;
  /** The line about it. */
  result: RefObject<HTMLParagraphElement | null>;
}

/** The extensions, each with what it adds or why it is not active. */
function AddedList({ busy, trying, onEdit, onRemove, added, result }: AddedProps) {
  const { active, idle, registered, reports } = useExtensions();
  const modules = active
    .map((own, i) => ({ own, provides: registered[i]?.provides ?? [] }))
    .filter(({ own }) => isModule(own));
  const others = idle.filter(isModule);
  if (modules.length + others.length === 0) return null;
  return (
    <ul aria-label="Added extensions" className="flex flex-col gap-2">
      {modules.map(({ own, provides }) => (
        <Entry key={own.name} own={own} busy={busy} trying={trying} onEdit={onEdit} onRemove={onRemove}>
          {own.name === added?.name && (
            <p
              ref={result}
              tabIndex={-1}
              className="rounded-sm text-dense break-words focus:outline-2 focus:outline-offset-2 focus:outline-accent"
            >
              <span aria-hidden className="text-ok">
                ✓
              </span>{" "}
              {addedText(added, reports[own.source] ?? [])}
            </p>
          )}
          <span className="flex flex-wrap gap-1">
            {provides.map((member) => (
              <Chip key={member}>{member.replace("rewardTerm ", "reward term ")}</Chip>
            ))}
          </span>
          {provides.some((member) => member.startsWith("rewardTerm ")) && (
            <p className="text-caption text-muted">A reward term counts with its weight, under Rewards.</p>
          )}
          {provides.some((member) => member.startsWith("environment ")) && (
            <p className="text-caption text-muted">
              Choose an environment as the task, under {SECTIONS.env}.
            </p>
          )}
          <Reports source={own.source} />
        </Entry>
      ))}
      {others.map((own) => (
        <Entry key={own.name} own={own} busy={false} trying={trying} onEdit={onEdit} onRemove={dropIdle}>
          <p className="text-caption break-words text-danger">{own.problem}</p>
          <Reports source={own.source} />
        </Entry>
      ))}
    </ul>
  );
}

function Entry({
  own,
  busy,
  trying,
  onEdit,
  onRemove,
  children,
}: ListProps & { own: ExtensionSource; children: React.ReactNode }) {
  return (
    <li className="flex scroll-mt-12 scroll-mb-28 flex-col gap-1.5">
      <div className="flex flex-wrap items-center justify-end gap-1.5">
        <span className="w-full text-dense font-semibold break-words">{own.name}</span>
        <IconButton
          icon={Download}
          name={`Save ${own.name} as a file`}
          small
          onClick={() => saveFile(fileNameOf(own.name), new Blob([own.source], { type: "text/javascript" }))}
        />
        <button
          type="button"
          className="btn btn-small"
          aria-label={`Edit ${own.name}`}
          disabled={trying}
          onClick={() => onEdit({ name: own.name, source: own.source })}
        >
          Edit
        </button>
        <button
          type="button"
          className="btn btn-small"
          aria-label={`Remove ${own.name}`}
          disabled={busy}
          onClick={() => onRemove(own)}
        >
          Remove
        </button>
      </div>
      {children}
    </li>
  );
}
