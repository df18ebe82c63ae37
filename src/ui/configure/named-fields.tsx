// Fields of an entry that the user names: a further environment or a validation set.
import { getPath } from "../../config/changes.ts";
import type { ConfigField } from "../../config/describe.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { besideField } from "../settings/words.ts";
import { useDraft } from "../store/draft-store.ts";
import { FieldRow } from "./field-row.tsx";

/** Whether the fields of an entry can be edited: a name with full stops would break its path. */
export const isPathPart = (name: string): boolean => !name.includes(".");

interface NamedFieldsProps {
  /** The path of the part. */
  under: string;
  fields: readonly ConfigField[];
  draft: RunConfig;
  /** The value used when the entry sets none. */
  usualOf(field: ConfigField): unknown;
  /** Whether the fields may be cleared to restore the usual value. */
  isOptional?: boolean;
}

export function NamedFields({ under, fields, draft, usualOf, isOptional = false }: NamedFieldsProps) {
  const problems = useDraft((state) => state.problems);
  const unreadable = useDraft((state) => state.unreadable);
  return fields.map((field) => {
    const problem = problems.find(({ path }) => path === field.path);
    const usual = usualOf(field);
    const own = getPath(draft, field.path);
    return (
      <FieldRow
        // Renaming an entry keeps its fields mounted.
        key={field.path.slice(under.length)}
        field={field}
        value={own ?? usual}
        usual={usual}
        changed={isOptional && own !== undefined}
        isOptional={isOptional}
        unreadable={unreadable[field.path]}
        problem={problem ? besideField(problem) : ""}
        fix={problem?.fix}
        idle=""
      />
    );
  });
}
