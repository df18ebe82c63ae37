// The configuration being edited. It may be wrong for a while: problems are shown beside their fields, and nothing
// reaches a run before somebody presses a button.
import { create } from "zustand";
import { diffConfigs, getPath, setPath } from "../../config/changes.ts";
import { type ConfigProblem, inspectRunConfig } from "../../config/check.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { envs } from "../../envs/index.ts";

export interface DraftState {
  /** Null until the presets have been loaded. */
  draft: RunConfig | null;
  /** Where the draft started: the preset, or the run that was taken up again. Reset arrows lead back to it. */
  base: RunConfig | null;
  presetId: string | null;
  /** Text of fields that cannot be read as a value, by path. */
  unreadable: Readonly<Record<string, string>>;
  problems: readonly ConfigProblem[];
  past: readonly RunConfig[];
  future: readonly RunConfig[];
}

const UNDO_STEPS = 50;
/** Descriptions, not parameters: they need no button to apply. */
const NOT_PARAMETERS = new Set(["version", "name", "description", "expected_time"]);

export const useDraft = create<DraftState>()(() => ({
  draft: null,
  base: null,
  presetId: null,
  unreadable: {},
  problems: [],
  past: [],
  future: [],
}));

/** Start from a preset or a run's configuration. An unsaved draft can be brought back with undo. */
export function loadDraft(config: RunConfig, presetId: string | null): void {
  useDraft.setState(({ draft, past }) => ({
    draft: config,
    base: config,
    presetId,
    unreadable: {},
    problems: inspectRunConfig(config).problems,
    past: draft ? [...past, draft].slice(-UNDO_STEPS) : past,
    future: [],
  }));
}

/** Set one value; an out-of-range value is kept, with its problem. */
export function editField(path: string, value: unknown): void {
  useDraft.setState((state) => {
    if (!state.draft) return state;
    const { [path]: _, ...unreadable } = state.unreadable;
    if (JSON.stringify(getPath(state.draft, path)) === JSON.stringify(value))
      return { ...state, unreadable, problems: problemsOf(state.draft, unreadable) };
    return changed(state, withField(state.draft, path, value), unreadable);
  });
}

/** Keep text that is no value of its field, so that the person can correct it. */
export function rejectText(path: string, text: string): void {
  useDraft.setState((state) => {
    if (!state.draft) return state;
    const unreadable = { ...state.unreadable, [path]: text };
    return { ...state, unreadable, problems: problemsOf(state.draft, unreadable) };
  });
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
      future: [state.draft, ...state.future],
    };
  });
}

export function redo(): void {
  useDraft.setState((state) => {
    const [next, ...future] = state.future;
    if (!next || !state.draft) return state;
    return { ...state, ...settled(next), past: [...state.past, state.draft], future };
  });
}

/** Paths whose values differ, without what merely describes a configuration. */
export function changedPaths(from: RunConfig, to: RunConfig): string[] {
  return diffConfigs(from, to)
    .map((change) => change.path)
    .filter((path) => !NOT_PARAMETERS.has(path));
}

function withField(draft: RunConfig, path: string, value: unknown): RunConfig {
  const next = setPath(draft, path, value);
  if (path !== "env.name") return next;
  // Options belong to one environment: another one starts from its own defaults.
  const spec = envs.all.find((known) => known.id === value);
  return setPath(next, "env.config", spec ? spec.config.parse({}) : {});
}

function changed(state: DraftState, draft: RunConfig, unreadable: DraftState["unreadable"]): DraftState {
  return {
    ...state,
    draft,
    unreadable,
    problems: problemsOf(draft, unreadable),
    past: state.draft ? [...state.past, state.draft].slice(-UNDO_STEPS) : state.past,
    future: [],
  };
}

const settled = (draft: RunConfig) => ({ draft, unreadable: {}, problems: problemsOf(draft, {}) });

function problemsOf(draft: RunConfig, unreadable: DraftState["unreadable"]): readonly ConfigProblem[] {
  const texts = Object.entries(unreadable).map(([path, text]) => ({
    path,
    value: text,
    message: `${path} is ${JSON.stringify(text)}; it must be a number.`,
    hint: "Write digits, for example 0.0003 or 3e-4.",
  }));
  // What stands in the field is the text, not the older value behind it.
  const ofValues = inspectRunConfig(draft).problems.filter(({ path }) => !(path in unreadable));
  return [...texts, ...ofValues];
}
