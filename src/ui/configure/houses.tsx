// Houses of ProcTHOR, for environments whose levels can take place in them: chosen as files, kept on this device, and loaded as
// extensions are.
import { useState } from "react";
import { takesHouses } from "../../config/houses.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { ConfigError, type SerializedError, serializeError } from "../../core/errors.ts";
import { housesFileName, isHousesFile } from "../../envs/navigation/houses.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { idsOf } from "../../extension/index.ts";
import { FileButton } from "../components/file-button.tsx";
import { counted } from "../lib/format.ts";
import { changeExtensions } from "../session/session.ts";
import { wholeText } from "../settings/words.ts";
import { editField, useDraft } from "../store/draft-store.ts";
import { dropIdle, useExtensions } from "../store/extension-store.ts";
import { useRun } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { openHouses } from "./open-files.ts";

/** Browsers keep some five million characters for a page. */
const MOST_CHARACTERS = 1_500_000;

const isHouses = ({ name }: ExtensionSource): boolean => isHousesFile(name);

/** Loads houses in place of those that are loaded; none unloads them. @throws what is wrong with them; then nothing changes. */
async function changeHouses(houses: ExtensionSource | null): Promise<void> {
  await changeExtensions((active) => [
    ...active.filter((own) => !isHouses(own)),
    ...(houses ? [houses] : []),
  ]);
  // Reading takes a moment, in which another task may have been chosen.
  const task = useDraft.getState().draft?.env.name;
  if (task !== undefined && takesHouses(task)) editField("env.config.homes", houses ? "imported" : "own");
}

/** The houses of files, and what became of the objects in them. */
async function readFiles(
  files: readonly File[],
): Promise<{ own: ExtensionSource; notes: readonly string[] }> {
  const { source, notes } = await openHouses(files);
  const name = housesFileName(files[0]!.name);
  if (source.length <= MOST_CHARACTERS) return { own: { name, source }, notes };
  throw new ConfigError(
    "invalid_config",
    `${name}: the houses take ${source.length} characters, more than the ${MOST_CHARACTERS} that this page keeps.`,
    "Choose fewer houses, or train from the command line with --houses.",
  );
}

/** The changes to the loaded houses, one at a time, and what came of the last one. */
function useHouses() {
  const [working, setWorking] = useState(false);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<SerializedError | null>(null);
  const change = async (next: () => Promise<readonly string[]>) => {
    setWorking(true);
    setProblem(null);
    try {
      setNotes(await next());
    } catch (error) {
      setProblem(serializeError(error));
    }
    setWorking(false);
  };
  const use = async (own: ExtensionSource, aside: readonly ExtensionSource[]) => {
    await changeHouses(own);
    for (const own of aside) dropIdle(own);
  };
  return {
    working,
    notes,
    problem,
    load: (files: readonly File[], aside: readonly ExtensionSource[]) =>
      change(async () => {
        const { own, notes: found } = await readFiles(files);
        await use(own, aside);
        return found;
      }),
    restore: (own: ExtensionSource) =>
      change(async () => {
        await use(own, [own]);
        return [];
      }),
    unload: () =>
      change(async () => {
        await changeHouses(null);
        return [];
      }),
  };
}

/** The part of the form below the options of an environment that takes houses. */
export function Houses({ draft }: { draft: RunConfig }) {
  const { active, idle, registered } = useExtensions();
  const busy = useRun((view) => isActive(view.state));
  const { working, notes, problem, load, restore, unload } = useHouses();
  const aside = idle.filter(isHouses);
  const loaded = active.find(isHouses);
  const [count] = registered.flatMap(({ provides }) => idsOf("houses", provides));
  const disabled = busy || working;
  return (
    <fieldset
      className="mt-3 flex min-w-0 flex-col gap-2 text-dense"
      data-testid="houses"
      aria-busy={working}
    >
      <legend className="text-dense font-semibold">Houses of ProcTHOR</legend>
      <p className="text-caption text-muted">
        {loaded
          ? `${loaded.name}: ${counted(Number(count), "house")}. ${draft.env.config.homes === "imported" ? "Tasks take place in them." : "“Homes” says whether tasks take place in them."}`
          : "Tasks can take place in houses from a file: JSON of a house or of a list, or a house on each line. They stay on this machine and are kept with the run."}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <FileButton
          name="File of houses"
          accept=".json,.jsonl"
          multiple
          disabled={disabled}
          onFile={(...files) => void load(files, aside)}
        >
          {loaded ? "Other houses…" : "Load houses…"}
        </FileButton>
        {loaded && (
          <button
            type="button"
            className="btn btn-small"
            aria-label={`Remove ${loaded.name}`}
            disabled={disabled}
            onClick={() => void unload()}
          >
            Remove
          </button>
        )}
        {working && <span className="text-caption text-muted">Reading…</span>}
      </div>
      {busy && <p className="text-caption text-muted">Houses cannot be changed while a run is active.</p>}
      {problem && (
        <p role="alert" className="break-words text-danger">
          {wholeText(problem)}
        </p>
      )}
      {notes.length > 0 && <Notes notes={notes} />}
      {aside.map((own) => (
        <Aside key={own.name} own={own} disabled={disabled} onUse={() => void restore(own)} />
      ))}
    </fieldset>
  );
}

const HOUSES_LEFT_OUT = /^\d+ houses? left out/;

/** What became of the files that were loaded last: houses that were left out, and a line for each kind of object. */
export function Notes({ notes }: { notes: readonly string[] }) {
  const ofObjects = notes.filter((note) => !HOUSES_LEFT_OUT.test(note));
  return (
    <div className="text-caption text-muted">
      {notes
        .filter((note) => HOUSES_LEFT_OUT.test(note))
        .map((note) => (
          <p key={note} className="break-words">
            {note}.
          </p>
        ))}
      {ofObjects.length > 0 && (
        <details>
          <summary className="cursor-pointer">
            {kindsIn(ofObjects)} of objects drawn as boxes or left out
          </summary>
          <ul aria-label="Objects that are boxes or left out" className="mt-1 max-h-48 overflow-auto">
            {ofObjects.map((note) => (
              <li key={note} className="break-words">
                {note}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** How many kinds the lines are about: the last one of a long list is about several. */
function kindsIn(notes: readonly string[]): string {
  const counts = notes.map((note) => Number(/^(\d+) other kinds?,/.exec(note)?.[1] ?? 1));
  return counted(
    counts.reduce((sum, count) => sum + count, 0),
    "kind",
  );
}

interface AsideProps {
  own: ExtensionSource & { problem: string };
  disabled: boolean;
  onUse(): void;
}

/** Houses that are kept and not loaded. */
function Aside({ own, disabled, onUse }: AsideProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 text-caption">
      <span className="min-w-0 flex-1 break-words">
        <span className="font-semibold">{own.name}</span> <span className="text-danger">{own.problem}</span>
      </span>
      <button type="button" className="btn btn-small" disabled={disabled} onClick={onUse}>
        Use again
      </button>
      <button
        type="button"
        className="btn btn-small"
        aria-label={`Forget ${own.name}`}
        onClick={() => dropIdle(own)}
      >
        Forget
      </button>
    </div>
  );
}
