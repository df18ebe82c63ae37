// The configuration of the next run, or of the one that is on: preset, fields from the schema, and the buttons that
// make a draft real.
import { PanelLeftClose, Redo2, RotateCw, Search, Undo2, Zap } from "lucide-react";
import { Fragment, useEffect, useMemo, useState } from "react";
import { getPath } from "../../config/changes.ts";
import type { ConfigProblem } from "../../config/check.ts";
import type { ConfigField } from "../../config/describe.ts";
import type { Preset } from "../../config/presets.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { IconButton, Segmented, Skeleton } from "../components/controls.tsx";
import { applyPending, pendingPaths, restartWithDraft, splitPending } from "../session/session.ts";
import { changedPaths, loadDraft, redo, undo, useDraft } from "../store/draft-store.ts";
import { useExtensions } from "../store/extension-store.ts";
import { setForm, useForm } from "../store/form-store.ts";
import { useRun } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { setUi, useUi } from "../store/ui-store.ts";
import { Extensions } from "./extensions.tsx";
import { FieldRow } from "./field-row.tsx";
import { fieldsOf, formHint, sectionsFor, shortMessage, titleOf } from "./fields.ts";
import { inFormWords } from "./form-words.ts";
import { withReasons } from "./idle.ts";
import { JudgeAccess } from "./judge-access.tsx";
import { lengthWarning } from "./length-warning.ts";
import { MethodPicker } from "./method-picker.tsx";
import { Problems } from "./problems.tsx";
import { StartBar } from "./start-bar.tsx";

export function ConfigurePanel({ onHide }: { onHide?: () => void }) {
  const draft = useDraft((state) => state.draft);
  return (
    <section aria-label="Configure" className="flex min-h-full flex-col">
      <PanelHead onHide={onHide} />
      {draft ? (
        <>
          <Fields draft={draft} />
          <Extensions />
        </>
      ) : (
        <Skeleton
          what="Loading the presets"
          count={6}
          className="flex flex-1 flex-col gap-4 p-4"
          item="h-9 rounded"
        />
      )}
      <Footer />
    </section>
  );
}

function PanelHead({ onHide }: { onHide: (() => void) | undefined }) {
  const canUndo = useDraft((state) => state.past.length > 0);
  const canRedo = useDraft((state) => state.future.length > 0);
  return (
    <div className="px-4 pt-3">
      <div className="mb-2 flex items-center">
        <h2 className="text-lead font-semibold">Configure</h2>
        <span className="flex-1" />
        <IconButton icon={Undo2} name="Undo (Ctrl+Z)" small disabled={!canUndo} onClick={undo} />
        <IconButton icon={Redo2} name="Redo (Ctrl+Shift+Z)" small disabled={!canRedo} onClick={redo} />
        {onHide && <IconButton icon={PanelLeftClose} name="Hide this panel" small onClick={onHide} />}
      </div>
      <PresetPicker />
      <MethodPicker />
    </div>
  );
}

/** Kept between mounts: the panel moves when the window's width changes. */
let loadedPresets: readonly Preset[] | null = null;

/** The presets, loaded once; null until then. */
export function usePresets(): readonly Preset[] | null {
  const [presets, setPresets] = useState(loadedPresets);
  useEffect(() => {
    let gone = false;
    void import("../../config/presets.ts").then((module) => {
      loadedPresets = module.presets.all;
      if (!gone) setPresets(loadedPresets);
    });
    return () => {
      gone = true;
    };
  }, []);
  return presets;
}

/** Where a draft comes from that is not a preset as it is; empty for one that is, or that came from nowhere. */
export function originText(presetId: string | null, source: string, changed: boolean): string {
  if (presetId) return changed ? "Changed from the preset." : "";
  if (!source) return "";
  return changed ? `From ${source}, changed.` : `From ${source}.`;
}

function PresetPicker() {
  const presets = usePresets();
  const presetId = useDraft((state) => state.presetId);
  const source = useDraft((state) => state.source);
  const changed = useDraft(
    ({ base, draft }) => base !== null && draft !== null && changedPaths(base, draft).length > 0,
  );
  const preset = presets?.find((known) => known.id === presetId);
  const origin = originText(presetId, source, changed);
  return (
    <div>
      <label className="mb-1 block text-caption text-muted" htmlFor="preset">
        Preset
      </label>
      <select
        id="preset"
        className="field-input w-full font-semibold"
        value={presetId ?? ""}
        onChange={(event) => {
          const chosen = presets?.find((known) => known.id === event.target.value);
          if (chosen) loadDraft(chosen.config, chosen.id);
        }}
      >
        {/* A closed list shows some twenty letters; all else is told below it. */}
        {!presetId && <option value="">Own configuration</option>}
        {presets?.map((known) => (
          <option key={known.id} value={known.id}>
            {known.name}
          </option>
        ))}
      </select>
      {origin && <p className="mt-1.5 text-caption text-text">{origin}</p>}
      {preset && (
        <div className="mt-1.5 text-caption text-muted">
          <p>{preset.description}</p>
          {preset.expectedTime && <p className="mt-1 text-text">{preset.expectedTime}</p>}
        </div>
      )}
    </div>
  );
}

function Fields({ draft }: { draft: RunConfig }) {
  const base = useDraft((state) => state.base) ?? draft;
  const unreadable = useDraft((state) => state.unreadable);
  const problems = useDraft((state) => state.problems);
  const showAll = useUi((ui) => ui.showAllFields);
  const { search, changedOnly } = useForm();
  const changed = useMemo(() => new Set(changedPaths(base, draft)), [base, draft]);
  const revision = useExtensions((state) => state.revision);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each revision there are other options and weights
  const fields = useMemo(() => fieldsOf(draft), [draft, revision]);
  const sections = sectionsFor(fields, { all: showAll, search, only: changedOnly ? changed : null });
  const problemOf = new Map(problems.map((problem) => [problem.path, problem]));
  const told = (problem: ConfigProblem) =>
    inFormWords(`${shortMessage(problem)} ${formHint(problem, fields)}`, draft.env.name, problem.path);
  return (
    <div className="flex-1 px-4 pb-4">
      <div className="z-10 -mx-4 mt-3 flex lg:sticky lg:top-0 flex-col gap-2 border-b border-line bg-surface px-4 py-2">
        <div className="flex items-center gap-2">
          <Segmented
            name="Which parameters"
            value={showAll ? "all" : "basic"}
            choices={[
              { value: "basic", label: "Basic" },
              { value: "all", label: "All" },
            ]}
            onChange={(value) => setUi({ showAllFields: value === "all" })}
          />
          <span className="flex-1" />
          <button
            type="button"
            className="segment"
            aria-pressed={changedOnly}
            onClick={() => setForm({ changedOnly: !changedOnly })}
          >
            {changed.size} changed
          </button>
        </div>
        <div className="relative">
          <Search size={14} aria-hidden className="absolute top-2 left-2.5 text-muted" />
          <input
            type="search"
            className="field-input w-full pl-8"
            placeholder="Find a parameter"
            aria-label="Find a parameter"
            value={search}
            onChange={(event) => setForm({ search: event.target.value })}
          />
        </div>
      </div>
      {sections.map((section) => (
        <fieldset key={section.id} className="mt-3 min-w-0">
          <legend className="mb-0.5 text-caption font-semibold tracking-wide text-muted uppercase">
            {section.title}
          </legend>
          {withReasons(section.fields, draft).map(({ field, idle, note, told: isTold }) => (
            <Fragment key={field.path}>
              {note && <p className="mt-1 text-caption text-muted">{note}</p>}
              <FieldRow
                field={field}
                value={valueIn(draft, field)}
                usual={valueIn(base, field)}
                changed={changed.has(field.path)}
                unreadable={unreadable[field.path]}
                problem={problemOf.has(field.path) ? told(problemOf.get(field.path)!) : ""}
                fix={problemOf.get(field.path)?.fix}
                envId={draft.env.name}
                idle={idle}
                idleTold={isTold}
              />
            </Fragment>
          ))}
          {section.id === "judge" && <JudgeAccess config={draft} />}
        </fieldset>
      ))}
      {sections.length === 0 && (
        <p className="py-8 text-center text-dense text-muted">
          {changedOnly ? "Nothing differs from the preset." : "No parameter matches."}
        </p>
      )}
    </div>
  );
}

/** A weight that a configuration does not have counts as its default. */
function valueIn(config: RunConfig, { path, default: usual }: ConfigField): unknown {
  const value = getPath(config, path);
  return value === undefined ? usual : value;
}

function Footer() {
  const state = useRun((view) => view.state);
  return (
    <div className="sticky bottom-0 z-10 flex flex-col gap-2 border-t border-line bg-panel px-4 py-3">
      <Problems />
      {isActive(state) ? <PendingBar /> : <StartBar />}
    </div>
  );
}

/** What differs from the run that is on, and the two ways to make it so. */
function PendingBar() {
  const config = useRun((view) => view.config);
  const draft = useDraft((state) => state.draft);
  const envId = draft?.env.name ?? "";
  const blocked = useDraft((state) => state.problems.length > 0);
  const ending = useRun((view) => lengthWarning(view.config, draft, view.update));
  const { live, restart } = splitPending(pendingPaths(config, draft));
  if (live.length + restart.length === 0)
    return <p className="text-caption text-muted">The run uses these values. Change one to apply it here.</p>;
  return (
    <div className="flex flex-col gap-2" data-testid="pending">
      <p className="max-h-16 overflow-auto text-caption text-muted">
        Not applied yet:{" "}
        {[...live, ...restart].map((path, i) => (
          <span key={path} className="text-text" title={path}>
            {i > 0 && ", "}
            {titleOf(path, envId)}
          </span>
        ))}
      </p>
      {ending && (
        <p className="text-caption text-warning" role="status">
          {ending}
        </p>
      )}
      {live.length > 0 && (
        <button type="button" className="btn btn-primary" disabled={blocked} onClick={applyPending}>
          <Zap size={14} aria-hidden /> Apply {live.length} {live.length === 1 ? "change" : "changes"} to the
          run
        </button>
      )}
      {restart.length > 0 && (
        <button type="button" className="btn" disabled={blocked} onClick={restartWithDraft}>
          <RotateCw size={14} aria-hidden /> Restart to apply {restart.length}
        </button>
      )}
    </div>
  );
}
