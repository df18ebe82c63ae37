// Further validation sets: levels that validations play besides the run's own, with options and turns of their own.
import { Plus } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { getPath } from "../../config/changes.ts";
import { type ConfigField, describeNamed } from "../../config/describe.ts";
import { entryConfig, entryNames, freeEntryName } from "../../config/entries.ts";
import type { RunConfig, ValidationSet } from "../../config/run-config.ts";
import { envs } from "../../envs/index.ts";
import { besideField } from "../settings/words.ts";
import { editField, useDraft } from "../store/draft-store.ts";
import { isPathPart, NamedFields } from "./named-fields.tsx";

const SETS = "trainer.val_sets";

type Sets = RunConfig["trainer"]["val_sets"];

export function ValidationSets({ draft, busy }: { draft: RunConfig; busy: boolean }) {
  const sets = draft.trainer.val_sets;
  const names = Object.keys(sets);
  const add = () => editField(SETS, { ...sets, [freeEntryName("set", draft)]: NEW_SET });
  return (
    <details
      className="mx-4 mb-3 rounded-md border border-line"
      data-testid="validation-sets"
      data-part={SETS}
    >
      <summary className="cursor-pointer px-3 py-2 text-dense font-semibold">
        Further validation sets{" "}
        {names.length > 0 && <span className="nums text-muted">({names.length})</span>}
      </summary>
      <div className="flex flex-col gap-3 border-t border-line px-3 py-3">
        <p className="text-caption text-muted">
          Every validation plays these levels as well and measures success on each set under its name. A set
          may have other options and turns than training: harder levels, for example, or other instructions.
        </p>
        {names.length > 0 && (
          <ul aria-label="Further validation sets" className="flex flex-col gap-3">
            {names.map((name, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a set that gets another name keeps its row, and a field there the focus
              <SetRow key={i} name={name} set={sets[name]!} draft={draft} busy={busy} />
            ))}
          </ul>
        )}
        <div>
          <button type="button" className="btn btn-small" disabled={busy} onClick={add}>
            <Plus size={14} aria-hidden /> Add a set
          </button>
        </div>
      </div>
    </details>
  );
}

/** Levels that no preset trains on or validates on. */
const NEW_SET: ValidationSet = { seeds: "700001-700064", config: {} };

/** The sets with another name for one of them, in the same order. */
const renamed = (sets: Sets, from: string, to: string): Sets =>
  Object.fromEntries(Object.entries(sets).map(([name, set]) => [name === from ? to : name, set]));

interface RowProps {
  name: string;
  set: ValidationSet;
  draft: RunConfig;
  busy: boolean;
}

function SetRow({ name, set, draft, busy }: RowProps) {
  const sets = draft.trainer.val_sets;
  const remove = () => {
    const { [name]: _, ...others } = sets;
    editField(SETS, others);
  };
  return (
    <li className="flex flex-col gap-1.5" data-set={name}>
      <div className="flex flex-wrap items-center gap-1.5">
        <NameField {...{ name, draft, busy }} />
        <button
          type="button"
          className="btn btn-small"
          aria-label={`Remove the set ${name}`}
          disabled={busy}
          onClick={remove}
        >
          Remove
        </button>
      </div>
      {(entryNames(draft).length > 1 || set.env !== undefined) && (
        <EnvironmentField {...{ name, set, draft, busy }} />
      )}
      {!busy && <SetFields name={name} set={set} draft={draft} />}
    </li>
  );
}

/** The name of a set. Enter or leaving the field renames it; a name that is taken is refused. */
function NameField({ name, draft, busy }: Omit<RowProps, "set">) {
  const id = useId();
  const [text, setText] = useState(name);
  const [refused, setRefused] = useState("");
  const show = (shown: string, taken = "") => {
    setText(shown);
    setRefused(taken);
  };
  useEffect(() => {
    setText(name);
    setRefused("");
  }, [name]);
  const wrong = useDraft(({ problems }) =>
    problems.find(({ path, value }) => path === SETS && value === name),
  );
  const trouble = refused ? `“${refused}” is taken. Use another name.` : wrong && besideField(wrong);
  const commit = () => {
    const chosen = text.trim();
    if (chosen === name || chosen === "") show(name, refused);
    else if (freeEntryName(chosen, draft) !== chosen) show(name, chosen);
    else editField(SETS, renamed(draft.trainer.val_sets, name, chosen));
  };
  return (
    <>
      <label className="text-caption text-muted" htmlFor={id}>
        Name
      </label>
      <input
        id={id}
        className="field-input mr-auto min-w-0 flex-1"
        value={text}
        disabled={busy}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => show(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key === "Escape") show(name);
        }}
        {...(trouble && { "aria-invalid": true, "aria-describedby": `${id}-trouble` })}
      />
      {trouble && (
        <p id={`${id}-trouble`} role="status" className="order-1 w-full text-caption text-danger">
          {trouble}
        </p>
      )}
    </>
  );
}

/** Which environment of the run a set plays. The options of another one mean nothing in it. */
function EnvironmentField({ name, set, draft, busy }: RowProps) {
  const id = useId();
  const problem = useDraft(({ problems }) => problems.find(({ path }) => path === `${SETS}.${name}.env`));
  const known = entryNames(draft);
  const played = set.env ?? draft.env.name;
  const choose = (env: string) => {
    const { env: _, ...rest } = set;
    const isFirst = env === draft.env.name;
    editField(`${SETS}.${name}`, { ...rest, config: {}, ...(!isFirst && { env }) });
  };
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <label className="text-caption text-muted" htmlFor={id}>
        Environment
      </label>
      <select
        id={id}
        className="field-input min-w-0 flex-1"
        value={played}
        disabled={busy || !isPathPart(name)}
        onChange={(event) => choose(event.target.value)}
      >
        {[...known, ...(known.includes(played) ? [] : [played])].map((env) => (
          <option key={env}>{env}</option>
        ))}
      </select>
      {problem && <p className="w-full text-caption text-danger">{besideField(problem)}</p>}
    </div>
  );
}

function SetFields({ name, set, draft }: Omit<RowProps, "busy">) {
  const alone = entryConfig(draft, set.env);
  const spec = envs.all.find(({ id }) => id === alone.env.name);
  if (!spec) return null;
  if (!isPathPart(name))
    return <p className="text-caption text-muted">Give it a name without full stops to edit it here.</p>;
  const under = `${SETS}.${name}`;
  const [seeds, ...rest] = describeNamed(SETS, name, spec, alone.env.preset);
  const others = rest.filter(({ path }) => path !== `${under}.env`);
  const usualOf = (field: ConfigField) => usualIn(field, name, alone);
  const changed = Object.keys(set.config).length + (set.max_turns === undefined ? 0 : 1);
  return (
    <>
      <NamedFields under={under} fields={[{ ...seeds!, ...OF_SEEDS }]} draft={draft} usualOf={usualOf} />
      <details className="w-full rounded-md border border-line px-2">
        <summary className="cursor-pointer py-1 text-caption text-muted">
          Turns and options{changed > 0 && ` (${changed} of its own)`}
        </summary>
        <NamedFields isOptional under={under} fields={others} draft={draft} usualOf={usualOf} />
      </details>
    </>
  );
}

const OF_SEEDS = {
  title: "Seeds",
  help: "The levels of the set: seeds and ranges such as 700001-700064, or 3, 7, 20-29.",
  default: NEW_SET.seeds,
  apply: "restart",
} as const;

/** The value used when a set gives none: that of its environment in the run. */
const usualIn = (
  { path, default: usual }: ConfigField,
  name: string,
  { env, rollout }: RunConfig,
): unknown => {
  const option = path.slice(`${SETS}.${name}.`.length);
  return option === "max_turns" ? rollout.max_turns : (getPath({ config: env.config }, option) ?? usual);
};
