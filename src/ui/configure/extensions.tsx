// The user's own environments, estimators, reward terms, filters and metrics, pasted as text. docs/extending.md explains them.
import { Download, Plus } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { SECTIONS } from "../../config/describe.ts";
import { type SerializedError, serializeError } from "../../core/errors.ts";
import { isHousesFile } from "../../envs/navigation/houses.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { Chip, Dialog, IconButton } from "../components/controls.tsx";
import { FileButton } from "../components/file-button.tsx";
import { saveFile } from "../lib/save-file.ts";
import { changeExtensions } from "../session/session.ts";
import { EMPTY, endedWith, forgetEnded, setDraftText, useExtensionDraft } from "../store/extension-draft.ts";
import { dropIdle, useExtensions } from "../store/extension-store.ts";
import { useRun } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { Reports } from "./extension-reports.tsx";

/** The examples of the documentation, loaded on demand. */
const examples = import.meta.glob<string>("../../../docs/examples/*.mjs", {
  query: "?raw",
  import: "default",
});

const EXAMPLES = [
  { file: "environment", title: "environment on a board" },
  { file: "world", title: "environment on a plane" },
  { file: "extension", title: "estimator, reward, filter, metric" },
] as const;

const LONGEST = 100_000;

/** The first of "extension 1", "extension 2", … that is free. */
export function freeName(taken: readonly string[]): string {
  const names = taken.map((_, i) => `extension ${i + 1}`);
  return names.find((name) => !taken.includes(name)) ?? `extension ${taken.length + 1}`;
}

/** The name of an extension's file. */
export const fileNameOf = (name: string): string =>
  `${name.replace(/\.m?js$/, "").replace(/[^\w.-]+/g, "_")}.mjs`;

/** What is missing before a text can be added; empty when nothing is. */
export function missingOf({ name, source }: ExtensionSource): string {
  if (name.trim() === "") return "Give it a name.";
  if (source.length > LONGEST)
    return `The code has ${source.length.toLocaleString("en")} characters; an extension has at most ${LONGEST.toLocaleString("en")}.`;
  return source.trim() === "" ? "Paste or write its code." : "";
}

/** The extension that is being written, and the changes to the list of extensions. */
function useEditing() {
  const { active, idle } = useExtensions();
  const [trying, setTrying] = useState(false);
  // Kept while the editor is closed: a click outside must not lose the text.
  const { text, ended } = useExtensionDraft();
  const [editing, setEditing] = useState(ended?.source === text.source);
  const [problem, setProblem] = useState<Problem | null>(ended && endedWith(ended));
  const change = async (next: (active: readonly ExtensionSource[]) => readonly ExtensionSource[]) => {
    // An earlier problem would seem to belong to this change.
    setProblem(null);
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
    const replaced = idle.filter(({ name }) => name === own.name);
    if (!(await change((now) => [...without(now), own]))) return;
    for (const former of replaced) dropIdle(former);
    setDraftText(EMPTY);
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
    add,
    edit,
    begin,
    remove,
  };
}

export function Extensions() {
  const count = useExtensions(({ active, idle }) => [...active, ...idle].filter(isModule).length);
  const busy = useRun((view) => isActive(view.state));
  const { text, editing, close, trying, problem, add, edit, begin, remove } = useEditing();
  const [startsOpen] = useState(problem !== null);
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
        <Added busy={busy || trying} trying={trying} onEdit={edit} onRemove={remove} />
        <button type="button" className="btn btn-small w-fit" disabled={busy} onClick={begin}>
          <Plus size={14} aria-hidden /> Add an extension…
        </button>
        {!editing && <Refused problem={problem} />}
      </div>
      <Dialog title="Extension" wide open={editing} onClose={close}>
        <Editor text={text} onText={setDraftText} busy={busy || trying} trying={trying} onAdd={add}>
          <Refused problem={problem} />
          {problem && <Reports source={text.source} />}
        </Editor>
      </Dialog>
    </details>
  );
}

type Problem = Pick<SerializedError, "message" | "hint">;

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

/** The extensions, each with what it adds or why it is not active. */
function Added({ busy, trying, onEdit, onRemove }: ListProps) {
  const { active, idle, registered } = useExtensions();
  const modules = active
    .map((own, i) => ({ own, provides: registered[i]?.provides ?? [] }))
    .filter(({ own }) => isModule(own));
  const others = idle.filter(isModule);
  if (modules.length + others.length === 0) return null;
  return (
    <ul aria-label="Added extensions" className="flex flex-col gap-2">
      {modules.map(({ own, provides }) => (
        <Entry key={own.name} own={own} busy={busy} trying={trying} onEdit={onEdit} onRemove={onRemove}>
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
    <li className="flex flex-col gap-1">
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

interface EditorProps {
  text: ExtensionSource;
  onText(text: ExtensionSource): void;
  busy: boolean;
  /** While a text is tried, it stays as it is. */
  trying: boolean;
  onAdd(): void;
  /** The problem with the text, next to the buttons. */
  children: ReactNode;
}

function Editor({ text, onText, busy, trying, onAdd, children }: EditorProps) {
  const missingId = useId();
  const known = useExtensions((state) => state.active.some(({ name }) => name === text.name.trim()));
  const missing = missingOf(text);
  const insertExample = async (file: string) => {
    const load = examples[`../../../docs/examples/${file}.mjs`];
    if (load) onText({ name: text.name || "example", source: await load() });
  };
  return (
    <div className="flex flex-col gap-1.5">
      <NameAndCode text={text} onText={onText} trying={trying} />
      {children}
      <div className="mt-1 flex flex-wrap items-center gap-1.5">
        <button
          type="button"
          className="btn btn-primary"
          disabled={missing !== "" || busy}
          aria-describedby={missing ? missingId : undefined}
          onClick={onAdd}
        >
          <Plus size={14} aria-hidden /> {known ? "Replace" : "Add"}
        </button>
        {/* Never replaces text of the user. */}
        {text.source.trim() === "" && (
          <>
            {EXAMPLES.map(({ file, title }) => (
              <button key={file} type="button" className="btn btn-small" onClick={() => insertExample(file)}>
                Example: {title}
              </button>
            ))}
            <FileButton
              name="A file with an extension"
              accept=".mjs,.js"
              onFile={async (file) => onText({ name: file.name, source: await file.text() })}
            >
              Open a file…
            </FileButton>
          </>
        )}
        {missing && (
          <span id={missingId} className="text-caption text-muted">
            {missing}
          </span>
        )}
      </div>
    </div>
  );
}

function NameAndCode({ text, onText, trying }: Pick<EditorProps, "text" | "onText" | "trying">) {
  const ids = { name: useId(), code: useId() };
  return (
    <>
      <label className="text-caption text-muted" htmlFor={ids.name}>
        Name
      </label>
      <input
        id={ids.name}
        className="field-input w-full"
        value={text.name}
        readOnly={trying}
        maxLength={60}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onText({ ...text, name: event.target.value })}
      />
      <label className="text-caption text-muted" htmlFor={ids.code}>
        Code
      </label>
      <textarea
        id={ids.code}
        className="field-input h-auto min-h-64 w-full resize-y overflow-auto py-1.5 font-mono text-dense leading-5 whitespace-pre"
        value={text.source}
        readOnly={trying}
        rows={20}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        placeholder={"export default ({ rewardTerm }) => {\n  rewardTerm({ id: …, score: (turn) => … });\n};"}
        onChange={(event) => onText({ ...text, source: event.target.value })}
      />
    </>
  );
}
