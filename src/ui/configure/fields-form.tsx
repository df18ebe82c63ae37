// The parameters that the schema has for the chosen task and workflow, section by section.
import { Search } from "lucide-react";
import { Fragment, useMemo } from "react";
import { getPath } from "../../config/changes.ts";
import type { ConfigField } from "../../config/describe.ts";
import { takesHouses } from "../../config/houses.ts";
import type { ConfigProblem } from "../../config/rules/problem.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { Segmented } from "../components/controls.tsx";
import { cautionFor } from "../settings/caution.ts";
import { type FieldSection, fieldsOf, sectionsFor } from "../settings/fields.ts";
import { partlyIdleReason, withReasons } from "../settings/idle.ts";
import { besideField } from "../settings/words.ts";
import { changedPaths, useDraft } from "../store/draft-store.ts";
import { useExtensions } from "../store/extension-store.ts";
import { setForm, useForm } from "../store/form-store.ts";
import { setUi, useUi } from "../store/ui-store.ts";
import { AboutTags, FieldRow } from "./field-row.tsx";
import { Houses } from "./houses.tsx";
import { JudgeAccess } from "./judge-access.tsx";
import { originFor } from "./origin.ts";
import { PaidModels } from "./paid-models.tsx";

/** The form of a draft, with its filters. */
export function FieldsForm({ draft }: { draft: RunConfig }) {
  const loaded = useDraft((state) => state.base) ?? draft;
  const problems = useDraft((state) => state.problems);
  const showAll = useUi((ui) => ui.showAllFields);
  const { search, changedOnly } = useForm();
  const unreadable = useDraft((state) => state.unreadable);
  const registered = useExtensions((state) => state.registered);
  // biome-ignore lint/correctness/useExhaustiveDependencies: extensions add environments
  const base = useMemo(() => originFor(loaded, draft), [loaded, draft, registered]);
  const changed = useMemo(
    // Text that is no value yet has been changed as well.
    () => new Set([...changedPaths(base, draft), ...Object.keys(unreadable)]),
    [base, draft, unreadable],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: extensions add options and weights
  const fields = useMemo(() => fieldsOf(draft), [draft, registered]);
  const sections = sectionsFor(fields, { all: showAll, search, only: changedOnly ? changed : null });
  const troubles = new Map(
    problems.map((problem) => [problem.path, { text: besideField(problem), fix: problem.fix }]),
  );
  return (
    <div className="flex-1 px-4 pb-4">
      <Tools changes={changed.size} />
      <p className="mt-2 flex text-caption text-muted">
        <AboutTags />
      </p>
      {sections.map((section) => (
        <SectionFields key={section.id} {...{ section, draft, base, changed, troubles }} />
      ))}
      {sections.length === 0 && (
        <p className="py-8 text-center text-dense text-muted">
          {changedOnly ? "Nothing differs from the preset." : "No setting matches."}
        </p>
      )}
    </div>
  );
}

/** Which parameters are shown: the usual ones or all, those that were changed, those that are searched for. */
function Tools({ changes }: { changes: number }) {
  const showAll = useUi((ui) => ui.showAllFields);
  const { search, changedOnly } = useForm();
  return (
    <div className="z-10 -mx-4 mt-3 flex lg:stuck-top lg:sticky lg:top-0 flex-col gap-2 border-b border-line bg-surface px-4 py-2">
      <div className="flex items-center gap-2">
        <Segmented
          name="Which settings"
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
          {changes} changed
        </button>
      </div>
      <div className="relative">
        <Search size={14} aria-hidden className="absolute top-2 left-2.5 text-muted" />
        <input
          type="search"
          className="field-input w-full pl-8"
          placeholder="Find a setting"
          aria-label="Find a setting"
          value={search}
          onChange={(event) => setForm({ search: event.target.value })}
        />
      </div>
    </div>
  );
}

interface SectionProps {
  section: FieldSection;
  draft: RunConfig;
  /** What the draft and its task began as. */
  base: RunConfig;
  /** Paths of the values that differ from it. */
  changed: ReadonlySet<string>;
  /** The problem of the value at a path, and the change that solves it. */
  troubles: ReadonlyMap<string, { text: string; fix: ConfigProblem["fix"] }>;
}

function SectionFields({ section, draft, base, changed, troubles }: SectionProps) {
  const unreadable = useDraft((state) => state.unreadable);
  return (
    <fieldset className="mt-3 min-w-0">
      <legend className="mb-0.5 text-caption font-semibold tracking-wide text-muted uppercase">
        {section.title}
      </legend>
      {withReasons(section.fields, draft).map(({ field, idle, note, isNoted }) => (
        <Fragment key={field.path}>
          {note && <p className="mt-1 text-caption text-muted">{note}</p>}
          <FieldRow
            field={field}
            value={valueIn(draft, field)}
            usual={valueIn(base, field)}
            changed={changed.has(field.path)}
            unreadable={unreadable[field.path]}
            problem={troubles.get(field.path)?.text ?? ""}
            fix={troubles.get(field.path)?.fix}
            idle={idle}
            partlyIdle={partlyIdleReason(field.path, draft)}
            caution={cautionFor(field.path, draft)}
            isNoted={isNoted}
          />
        </Fragment>
      ))}
      {section.id === "env" && takesHouses(draft.env.name) && <Houses draft={draft} />}
      {section.id === "env" && <PaidModels config={draft} />}
      {section.id === "judge" && <JudgeAccess config={draft} />}
    </fieldset>
  );
}

/** A weight that a configuration does not have counts as its default. */
function valueIn(config: RunConfig, { path, default: usual }: ConfigField): unknown {
  const value = getPath(config, path);
  return value === undefined ? usual : value;
}
