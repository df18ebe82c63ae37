// Further environments of a run: a list with weights. Their options are those of the preset of each, or of a file.
import { Plus } from "lucide-react";
import { useId } from "react";
import { type ConfigField, describeNamed } from "../../config/describe.ts";
import { freeEntryName } from "../../config/entries.ts";
import type { Preset } from "../../config/presets.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { envs } from "../../envs/index.ts";
import { editField, editFields } from "../store/draft-store.ts";
import { isPathPart, NamedFields } from "./named-fields.tsx";
import { usePresets } from "./preset-picker.tsx";

type Entry = RunConfig["envs"][string];

/** The smallest preset's levels and options of an environment; all defaults where it has no preset. */
export function entryFor(id: string, presets: readonly Preset[]): Entry {
  const preset = presets.find(({ config }) => config.env.name === id && config.rollout.workflow === "vagen");
  const options = preset?.config.env.config ?? envs.get(id).config.parse({});
  const trainer = preset?.config.trainer;
  return {
    ...{ name: id, preset: "none", weight: 1, config: options as Entry["config"] },
    ...(preset && { max_turns: preset.config.rollout.max_turns }),
    train_seeds: trainer?.train_seeds ?? "",
    val_seeds: trainer?.val_seeds ?? "",
  };
}

export function FurtherEnvs({ draft, busy }: { draft: RunConfig; busy: boolean }) {
  const entries = Object.entries(draft.envs);
  return (
    <details className="mx-4 mb-3 rounded-md border border-line" data-testid="further-envs" data-part="envs">
      <summary className="cursor-pointer px-3 py-2 text-dense font-semibold">
        Further environments{" "}
        {entries.length > 0 && <span className="nums text-muted">({entries.length})</span>}
      </summary>
      <div className="flex flex-col gap-3 border-t border-line px-3 py-3">
        <p className="text-caption text-muted">
          The policy learns them together with the task above. The weight is how many levels are played for
          each level of that task. A bundled policy knows the environments that it was trained in. A run that
          adds another one starts from random weights, unless it shares the checkpoint's words.
        </p>
        {entries.length > 0 && (
          <ul aria-label="Further environments" className="flex flex-col gap-2">
            {entries.map(([name, entry]) => (
              <EntryRow key={name} name={name} entry={entry} draft={draft} busy={busy} />
            ))}
          </ul>
        )}
        <AddEntry draft={draft} busy={busy} />
      </div>
    </details>
  );
}

interface RowProps {
  name: string;
  entry: Entry;
  draft: RunConfig;
  busy: boolean;
}

function EntryRow({ name, entry, draft, busy }: RowProps) {
  const id = useId();
  const title = envs.all.find((spec) => spec.id === (entry.name || name))?.title ?? entry.name;
  const remove = () => {
    const { [name]: _, ...others } = draft.envs;
    const sets = Object.entries(draft.trainer.val_sets).filter(([, { env }]) => env !== name);
    editFields({ envs: others, "trainer.val_sets": Object.fromEntries(sets) });
  };
  return (
    <li className="flex flex-wrap items-center gap-1.5" data-entry={name}>
      <span className="w-full truncate text-dense">
        <span className="font-semibold">{title}</span>{" "}
        {name !== entry.name && <span className="text-muted">as {name}</span>}
      </span>
      <label className="text-caption text-muted" htmlFor={id}>
        Weight
      </label>
      <input
        id={id}
        type="number"
        className="field-input nums mr-auto w-20"
        min={0.1}
        max={1000}
        step={0.1}
        value={entry.weight}
        disabled={busy}
        onChange={({ target: { valueAsNumber } }) => {
          if (Number.isFinite(valueAsNumber))
            editField("envs", { ...draft.envs, [name]: { ...entry, weight: valueAsNumber } });
        }}
      />
      <button
        type="button"
        className="btn btn-small"
        aria-label={`Remove ${title}`}
        disabled={busy}
        onClick={remove}
      >
        Remove
      </button>
      <EntryFields {...{ name, entry, draft, busy }} />
    </li>
  );
}

/** Turns, seeds and options of an entry. */
function EntryFields({ name, entry, draft, busy }: RowProps) {
  const spec = envs.all.find(({ id }) => id === (entry.name || name));
  if (!spec || busy || !isPathPart(name)) return null;
  return (
    <details className="w-full rounded-md border border-line px-2">
      <summary className="cursor-pointer py-1 text-caption text-muted">Turns, seeds and options</summary>
      <NamedFields
        under={`envs.${name}`}
        fields={describeNamed("envs", name, spec, entry.preset)}
        draft={draft}
        usualOf={(field) => usualOf(field, draft)}
      />
    </details>
  );
}

/** What counts where an entry says nothing: for turns the run's setting; seeds that are empty are the run's as well. */
const usualOf = ({ path, default: usual }: ConfigField, { rollout }: RunConfig): unknown =>
  path.endsWith(".max_turns") ? rollout.max_turns : usual;

function AddEntry({ draft, busy }: Omit<RowProps, "name" | "entry">) {
  const presets = usePresets() ?? [];
  const add = (id: string) =>
    editFields({
      envs: { ...draft.envs, [freeEntryName(id, draft)]: entryFor(id, presets) },
      "trainer.init_checkpoint": "",
    });
  return (
    <div className="flex flex-wrap gap-1.5">
      {envs.all.map(({ id, title }) => (
        <button key={id} type="button" className="btn btn-small" disabled={busy} onClick={() => add(id)}>
          <Plus size={14} aria-hidden /> {title}
        </button>
      ))}
    </div>
  );
}
