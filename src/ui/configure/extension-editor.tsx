// The text of an extension that is being written: its name, its code, and the button that adds it.
import { Plus } from "lucide-react";
import { type ComponentType, lazy, type ReactNode, Suspense, useId, useState } from "react";
import { formatInteger } from "../../core/format.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import type { CodeEditorProps } from "../components/code-editor.tsx";
import { Skeleton } from "../components/controls.tsx";
import { FileButton } from "../components/file-button.tsx";
import { useExtensions } from "../store/extension-store.ts";
import { freeName } from "./extension-changes.ts";

/** Loaded with the dialog. */
const CodeEditor = lazy(() =>
  editorFrom(async () => (await import("../components/code-editor.tsx")).CodeEditor),
);

/** The editor as a module, or a plain field where its code cannot be loaded. */
export const editorFrom = async (load: () => Promise<ComponentType<CodeEditorProps>>) => ({
  default: await load().catch(() => PlainEditor),
});

function PlainEditor({ labelId, value, readOnly, hint, onChange }: CodeEditorProps) {
  return (
    <textarea
      className="field-input h-[420px] min-h-64 w-full resize-y py-1.5 font-mono leading-5 whitespace-pre"
      aria-labelledby={labelId}
      value={value}
      readOnly={readOnly}
      placeholder={hint}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** The examples of the documentation, loaded on demand. */
const examples = import.meta.glob<string>("../../../docs/examples/*.mjs", {
  query: "?raw",
  import: "default",
});

const EXAMPLES = [
  { file: "environment", title: "environment on a board" },
  { file: "world", title: "environment on a plane" },
  { file: "instructions", title: "environment with instructions" },
  { file: "golf", title: "actions with arguments" },
  { file: "extension", title: "estimator, reward, filter, metric" },
] as const;

/** Names that the page has given: `freeName`, or that of an example. */
const isGiven = (name: string): boolean =>
  /^(extension \d+)?$/.test(name) || EXAMPLES.some(({ file }) => file === name);

/** An example is named after its file, unless the user has chosen a name or that name is taken. */
export function nameOfExample(file: string, name: string, taken: readonly string[]): string {
  if (!isGiven(name)) return name;
  return taken.includes(file) ? freeName(taken) : file;
}

const LONGEST = 100_000;
/** Most bytes of a character of a text (UTF-8 for a unit of UTF-16). */
const WIDEST = 3;

/** Why a file is not read into the editor, which a text of many megabytes would block; empty where it is. */
export const tooLarge = ({ name, size }: Pick<File, "name" | "size">): string =>
  size <= WIDEST * LONGEST
    ? ""
    : `${name} has ${formatInteger(size)} bytes; an extension has at most ${formatInteger(LONGEST)} characters. Choose a smaller file.`;

/** What is missing before a text can be added; empty when nothing is. */
export function missingOf({ name, source }: ExtensionSource): string {
  if (name.trim() === "") return "Give it a name.";
  if (source.length > LONGEST)
    return `The code has ${formatInteger(source.length)} characters; an extension has at most ${formatInteger(LONGEST)}. Shorten it.`;
  return source.trim() === "" ? "Paste or write its code." : "";
}

interface EditorProps {
  text: ExtensionSource;
  onText(text: ExtensionSource): void;
  /** Another text takes the place of this one: an example, or a file. */
  onReplace(text: ExtensionSource): void;
  busy: boolean;
  /** While a text is tried, it stays as it is. */
  trying: boolean;
  /** Lines of the text that was refused. */
  wrong: readonly number[];
  onAdd(): void;
  /** The problem with the text, next to the buttons. */
  children: ReactNode;
}

export function Editor({ text, onText, onReplace, busy, trying, wrong, onAdd, children }: EditorProps) {
  const missingId = useId();
  const { active, idle } = useExtensions();
  const known = active.some(({ name }) => name === text.name.trim());
  const missing = missingOf(text);
  const [refused, setRefused] = useState("");
  const [example, setExample] = useState("");
  const change = (next: ExtensionSource) => {
    setRefused("");
    onText(next);
  };
  const replace = (next: ExtensionSource) => {
    setRefused("");
    onReplace(next);
  };
  const openFile = async (file: File) => {
    if (tooLarge(file)) setRefused(tooLarge(file));
    else replace({ name: file.name, source: await file.text() });
  };
  const insertExample = async (file: string) => {
    const load = examples[`../../../docs/examples/${file}.mjs`];
    if (!load) return;
    const source = await load();
    setExample(source);
    const taken = [...active, ...idle].map(({ name }) => name);
    replace({ name: nameOfExample(file, text.name, taken), source });
  };
  return (
    <div className="flex flex-col gap-1.5">
      <NameAndCode text={text} onText={change} trying={trying} wrong={wrong} />
      {children}
      <div className="mt-1 flex flex-wrap items-center gap-1.5">
        <button
          type="button"
          className="btn btn-primary"
          disabled={missing !== "" || busy}
          // Not disabled, which would take the focus away.
          aria-disabled={trying}
          aria-describedby={missing ? missingId : undefined}
          onClick={trying ? undefined : onAdd}
        >
          <Plus size={14} aria-hidden /> {trying ? "Trying…" : known ? "Replace" : "Add"}
        </button>
        {/* Never replaces text of the user; one example may replace another. */}
        {(text.source.trim() === "" || text.source === example) && !trying && (
          <>
            {EXAMPLES.map(({ file, title }) => (
              <button key={file} type="button" className="btn btn-small" onClick={() => insertExample(file)}>
                Example: {title}
              </button>
            ))}
            <FileButton name="A file with an extension" accept=".mjs,.js" onFile={openFile}>
              Open a file…
            </FileButton>
          </>
        )}
        {refused && (
          <p role="alert" className="w-full text-caption break-words text-danger">
            {refused}
          </p>
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

function NameAndCode({
  text,
  onText,
  trying,
  wrong,
}: Pick<EditorProps, "text" | "onText" | "trying" | "wrong">) {
  const nameId = useId();
  const codeId = useId();
  return (
    <>
      <label className="text-caption text-muted" htmlFor={nameId}>
        Name
      </label>
      <input
        id={nameId}
        className="field-input w-full"
        value={text.name}
        readOnly={trying}
        maxLength={60}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onText({ ...text, name: event.target.value })}
      />
      <span id={codeId} className="text-caption text-muted">
        Code
      </span>
      <Suspense
        fallback={<Skeleton what="Loading the editor" count={1} className="" item="h-[420px] rounded-md" />}
      >
        <CodeEditor
          labelId={codeId}
          value={text.source}
          readOnly={trying}
          wrong={wrong}
          hint={"export default ({ rewardTerm }) => {\n  rewardTerm({ id: …, score: (turn) => … });\n};"}
          onChange={(source) => onText({ ...text, source })}
        />
      </Suspense>
    </>
  );
}
