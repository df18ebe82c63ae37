// The configuration being edited. It may be wrong for a while: problems are shown beside their fields, and nothing
// reaches a run before a button is pressed.
import { create } from "zustand";
import { unfitStart } from "../../config/bundled.ts";
import { diffConfigs, getPath, isDescription, setPath } from "../../config/changes.ts";
import { inspectRunConfig } from "../../config/check.ts";
import { fieldAt } from "../../config/describe.ts";
import { freeEntryName } from "../../config/entries.ts";
import { chooseEnvironment, choosePreset, optionsWithPreset } from "../../config/env-preset.ts";
import { acceptedOrEmpty } from "../../config/expectation.ts";
import { INIT_CHECKPOINT } from "../../config/init-checkpoint.ts";
import { ownValidationSets } from "../../config/levels.ts";
import type { ConfigProblem } from "../../config/rules/problem.ts";
import type { RunConfig, ValidationSet } from "../../config/run-config.ts";
import { message } from "../../core/message.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { envs } from "../../envs/index.ts";
import { hasOtherTasks, nameOfDraft } from "../settings/run-name.ts";

export interface DraftState {
  /** Null until the presets have been loaded. */
  draft: RunConfig | null;
  /** Where the draft started: the preset, or the resumed run. Reset arrows lead back to it. */
  base: RunConfig | null;
  presetId: string | null;
  /** Where it came from when not from a preset: "the file tiny.yaml". */
  source: string;
  /** The run that was started or opened with this draft; null for none. */
  runId: string | null;
  /** Text of fields that cannot be read as a value, by path. */
  unreadable: Readonly<Record<string, string>>;
  problems: readonly ConfigProblem[];
  past: readonly Step[];
  future: readonly Step[];
}

/** A draft to go back to, with where it had started. */
interface Step extends Pick<DraftState, "base" | "presetId" | "source" | "runId"> {
  draft: RunConfig;
}

const UNDO_STEPS = 50;
export const useDraft = create<DraftState>()(() => ({
  draft: null,
  base: null,
  presetId: null,
  source: "",
  runId: null,
  unreadable: {},
  problems: [],
  past: [],
  future: [],
}));

/** Starts from a preset, or from what `source` names. An unsaved draft can be brought back with undo. */
export function loadDraft(config: RunConfig, presetId: string | null, source = ""): void {
  useDraft.setState((state) => ({
    draft: config,
    base: config,
    presetId,
    source,
    runId: null,
    unreadable: {},
    problems: inspectRunConfig(config).problems,
    past: withStep(state),
    future: [],
  }));
}

/** Makes a preset the origin of a configuration that was loaded without one, if the draft still begins with that configuration. */
export function keepPreset(config: RunConfig, preset: { id: string; config: RunConfig }): void {
  useDraft.setState((state) =>
    state.base === config && !state.presetId
      ? { base: preset.config, presetId: preset.id, source: "" }
      : state,
  );
}

/** Puts a draft back that was in the form before the present one, to which undo leads from it. */
export function putOver(upper: DraftState): void {
  useDraft.setState((lower) => {
    const below = lower.draft ? [stepOf(lower, lower.draft)] : [];
    return { ...upper, past: [...below, ...upper.past].slice(-UNDO_STEPS) };
  });
}

/** Notes the run that has this draft: when it is continued after a reload, the draft stays as it is. */
export const tieDraft = (runId: string | null): void => useDraft.setState({ runId });

/** Sets one value; an out-of-range value is kept, with its problem. */
export const editField = (path: string, value: unknown): void => editFields({ [path]: value });

/** Sets several values in one step: one undo takes all of them back. */
export function editFields(changes: Readonly<Record<string, unknown>>): void {
  useDraft.setState((state) => {
    const { draft: before } = state;
    if (!before) return state;
    const base = state.base ?? before;
    const changed = Object.entries(changes).reduce(
      (next, [path, value]) =>
        JSON.stringify(getPath(next, path)) === JSON.stringify(value)
          ? next
          : withField(next, path, value, base),
      before,
    );
    const edited = withOwnStart(changed, before, base);
    const unreadable = Object.fromEntries(
      Object.entries(state.unreadable).filter(
        ([path]) => !(path in changes) && keepsPlace(path, before, edited, Object.keys(changes)),
      ),
    );
    const draft = edited === before ? before : { ...edited, name: nameOfDraft(edited, base) };
    const next = { ...state, draft, unreadable, problems: problemsOf(draft, unreadable) };
    return draft !== before ? { ...next, past: withStep(state), future: [] } : next;
  });
}

/**
 * Whether the unreadable text of a field still belongs to it after an edit: the field has not been removed with its entry, such as a
 * validation set, and is no option of an environment whose options were replaced as a whole.
 */
function keepsPlace(path: string, before: RunConfig, edited: RunConfig, changed: readonly string[]): boolean {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
  if (parent === "") return true;
  const present = getPath(edited, parent);
  const isWithin = changed.some((whole) => path.startsWith(`${whole}.`));
  const isReplaced = isWithin && present !== getPath(before, parent);
  return present !== undefined && !(isReplaced && OPTIONS.test(parent));
}

/** Paths of the options of an environment of the run, or of a validation set. */
const OPTIONS = /^(env|envs\.[^.]+|trainer\.val_sets\.[^.]+)\.config$/;

/** Keeps text that is no value of its field, so that the user can correct it. */
export function rejectText(path: string, text: string): void {
  useDraft.setState((state) => {
    if (!state.draft) return state;
    const unreadable = { ...state.unreadable, [path]: text };
    return { ...state, unreadable, problems: problemsOf(state.draft, unreadable) };
  });
}

/**
 * Checks the draft again after the registered extensions have changed. It becomes a copy, with all its environments, so that its level is
 * drawn and its size estimated again.
 */
export function recheckDraft(): void {
  useDraft.setState(({ draft, unreadable }) =>
    draft ? { draft: withCopiedEnvs(draft), problems: problemsOf(draft, unreadable) } : {},
  );
}

function withCopiedEnvs(draft: RunConfig): RunConfig {
  const envs = Object.entries(draft.envs).map(([name, entry]) => [name, { ...entry }]);
  return { ...draft, env: { ...draft.env }, envs: Object.fromEntries(envs) };
}

export function resetField(path: string): void {
  const { base } = useDraft.getState();
  if (base) editField(path, getPath(base, path));
}

export function undo(): void {
  useDraft.setState((state) => {
    const previous = state.past.at(-1);
    if (!previous || !state.draft) return state;
    return {
      ...state,
      ...settled(previous),
      past: state.past.slice(0, -1),
      future: [stepOf(state, state.draft), ...state.future],
    };
  });
}

export function redo(): void {
  useDraft.setState((state) => {
    const [next, ...future] = state.future;
    if (!next || !state.draft) return state;
    return { ...state, ...settled(next), past: [...state.past, stepOf(state, state.draft)], future };
  });
}

/** Paths whose values differ, without what merely describes a configuration. */
export function changedPaths(from: RunConfig, to: RunConfig): string[] {
  return diffConfigs(from, to)
    .map((change) => change.path)
    .filter((path) => path !== "version" && !isDescription(path));
}

/** The draft with one value changed. Another environment, or another preset of it, brings its own options. */
function withField(draft: RunConfig, path: string, value: unknown, base: RunConfig): RunConfig {
  const next = setPath(draft, path, value);
  const spec = envs.all.find((known) => known.id === next.env.name);
  if (path === "env.preset" && spec) return { ...next, env: choosePreset(next.env, spec, next.env.preset) };
  if (path !== "env.name") return next;
  if (!spec) return setPath(next, "env.config", {});
  const env = newEnv(next.env, spec, base.env);
  const trainer = { ...next.trainer, val_sets: setsOfTask(draft, env.name, base) };
  return besideTask({ ...next, env, trainer });
}

/** Renames a further environment whose name the task takes, because metrics of the task use that name. */
function besideTask(draft: RunConfig): RunConfig {
  const task = draft.env.name;
  if (!Object.hasOwn(draft.envs, task)) return draft;
  const free = freeEntryName(task, draft);
  const entries = Object.entries(draft.envs).map(([name, entry]) =>
    name === task ? [free, { ...entry, name: entry.name || task }] : [name, entry],
  );
  const sets = Object.entries(draft.trainer.val_sets).map(([name, set]) => [
    name,
    set.env === task ? { ...set, env: free } : set,
  ]);
  const trainer = { ...draft.trainer, val_sets: Object.fromEntries(sets) };
  return { ...draft, envs: Object.fromEntries(entries), trainer };
}

/** The validation sets after a change of task. Drops sets with options of the previous task, and restores the original sets with the original task. */
function setsOfTask(draft: RunConfig, task: string, base: RunConfig): RunConfig["trainer"]["val_sets"] {
  const own = new Set(ownValidationSets(draft).map(({ name }) => name));
  const isKept = (name: string, { env, config }: ValidationSet) =>
    !own.has(name) || (env === undefined && Object.keys(config).length === 0);
  const kept = Object.entries(draft.trainer.val_sets).filter(([name, set]) => isKept(name, set));
  const first = base.env.name === task ? ownValidationSets(base).map(({ name }) => name) : [];
  return Object.fromEntries([...first.map((name) => [name, base.trainer.val_sets[name]!] as const), ...kept]);
}

/** The section of a newly chosen environment. The original task gets its original options back; any other starts from its defaults. */
function newEnv(before: RunConfig["env"], spec: EnvSpec, base: RunConfig["env"]): RunConfig["env"] {
  const env = chooseEnvironment(before, spec);
  if (base.name === spec.id) return base.preset === env.preset ? base : choosePreset(base, spec, env.preset);
  return { ...env, config: spec.config.parse(optionsWithPreset(spec, env)) as typeof env.config };
}

/** Restores the original starting policy when the original tasks return and the present policy does not fit them. */
function withOwnStart(draft: RunConfig, before: RunConfig, base: RunConfig): RunConfig {
  const isBack = hasOtherTasks(before, base) && !hasOtherTasks(draft, base);
  return isBack && unfitStart(draft) ? setPath(draft, INIT_CHECKPOINT, base.trainer.init_checkpoint) : draft;
}

const stepOf = ({ base, presetId, source, runId }: DraftState, draft: RunConfig): Step => ({
  draft,
  base,
  presetId,
  source,
  runId,
});

const withStep = (state: DraftState): readonly Step[] =>
  state.draft ? [...state.past, stepOf(state, state.draft)].slice(-UNDO_STEPS) : state.past;

const settled = (step: Step) => ({ ...step, unreadable: {}, problems: problemsOf(step.draft, {}) });

function problemsOf(draft: RunConfig, unreadable: DraftState["unreadable"]): readonly ConfigProblem[] {
  const texts = Object.entries(unreadable).map(([path, text]) => unreadableProblem(path, text));
  // The field shows the text, not the older value behind it.
  const ofValues = inspectRunConfig(draft).problems.filter(({ path }) => !(path in unreadable));
  return [...texts, ...ofValues];
}

function unreadableProblem(path: string, text: string): ConfigProblem {
  const field = fieldAt(path);
  const expected = field ? message`it must be ${acceptedOrEmpty(field)}` : "it must be a number";
  const example = field?.type === "integer" ? "1000" : "1000, 0.0003 or 3e-4";
  const separators = /\d[\s,.'_]\d/.test(text) ? " without thousands separators" : "";
  const hint = text.trim() ? `Write digits${separators}, for example ${example}.` : "";
  return { path, value: text, expected, hint };
}
