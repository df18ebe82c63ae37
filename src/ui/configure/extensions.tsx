// The user's own environments, estimators, reward terms, filters and metrics, pasted as text. docs/extending.md explains them.
import { Download, Plus } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { SECTIONS } from "../../config/describe.ts";
import { isHousesFile } from "../../envs/navigation/houses.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { Chip, IconButton } from "../components/controls.tsx";
import { saveFile } from "../lib/save-file.ts";
import { type Added, useExtensionDraft } from "../store/extension-draft.ts";
import { dropIdle, useExtensions } from "../store/extension-store.ts";
import { useRun } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { beginExtension, editExtension, removeExtension } from "./extension-changes.ts";
import { addedText, Refused, Reports } from "./extension-reports.tsx";

/** How a run comes to use what an extension adds. A metric needs no setting. */
const USES = [
  ["environment", `To use the environment, choose it under ${SECTIONS.env}.`],
  ["estimator", `To use the estimator, choose it under ${SECTIONS.algorithm}.`],
  ["filter", `To use the filter, choose it under ${SECTIONS.algorithm}, in the view “All”.`],
  ["rewardTerm", `To use the reward term, give it a weight under ${SECTIONS.reward}, in the view “All”.`],
] as const;

/** The name of an extension's file. */
export const fileNameOf = (name: string): string =>
  `${name.replace(/\.m?js$/, "").replace(/[^\w.-]+/g, "_")}.mjs`;

export function Extensions() {
  const count = useExtensions(({ active, idle }) => [...active, ...idle].filter(isModule).length);
  const busy = useRun((view) => isActive(view.state));
  const { editing, changing, problem, added } = useExtensionDraft();
  // The panel is drawn again where the window crosses the width of a phone, also while the editor is open.
  const [startsOpen] = useState(editing || problem !== null);
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
        <AddedList busy={busy || changing} changing={changing} added={added} result={result} />
        <button type="button" className="btn btn-small w-fit" disabled={busy} onClick={beginExtension}>
          <Plus size={14} aria-hidden /> Add an extension…
        </button>
        {!editing && <Refused problem={problem} />}
      </div>
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

/** Houses have their own place in the form (`houses.tsx`). */
const isModule = ({ name }: ExtensionSource): boolean => !isHousesFile(name);

interface AddedProps {
  busy: boolean;
  changing: boolean;
  added: Added | null;
  /** The line about it. */
  result: RefObject<HTMLParagraphElement | null>;
}

/** The extensions, each with what it adds or why it is not active. */
function AddedList({ busy, changing, added, result }: AddedProps) {
  const { active, idle, registered, reports } = useExtensions();
  const modules = active
    .map((own, i) => ({ own, provides: registered[i]?.provides ?? [] }))
    .filter(({ own }) => isModule(own));
  const others = idle.filter(isModule);
  if (modules.length + others.length === 0) return null;
  return (
    <ul aria-label="Added extensions" className="flex flex-col gap-2">
      {modules.map(({ own, provides }) => (
        <Entry key={own.name} own={own} busy={busy} changing={changing} onRemove={removeExtension}>
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
          {USES.filter(([kind]) => provides.some((member) => member.startsWith(`${kind} `))).map(
            ([kind, use]) => (
              <p key={kind} className="text-caption text-muted">
                {use}
              </p>
            ),
          )}
          <Reports source={own.source} />
        </Entry>
      ))}
      {others.map((own) => (
        <Entry key={own.name} own={own} busy={false} changing={changing} onRemove={dropIdle}>
          <p className="text-caption break-words text-danger">{own.problem}</p>
          <Reports source={own.source} />
        </Entry>
      ))}
    </ul>
  );
}

interface EntryProps {
  own: ExtensionSource;
  busy: boolean;
  /** Another text in the editor would take the place of the one that is being tried. */
  changing: boolean;
  onRemove(own: ExtensionSource): void;
  children: ReactNode;
}

function Entry({ own, busy, changing, onRemove, children }: EntryProps) {
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
          disabled={changing}
          onClick={() => editExtension(own)}
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
