// Fields of a part of a run that has a name of the user's: a further environment, or a validation set.
import { getPath } from "../../config/changes.ts";
import type { ConfigField } from "../../config/describe.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { besideField } from "../settings/words.ts";
import { useDraft } from "../store/draft-store.ts";
import { FieldRow } from "./field-row.tsx";

/** Whether fields can be edited below a name: one with full stops is no part of a path. */
export const isPathPart = (name: string): boolean => !name.includes(".");

interface NamedFieldsProps {
  /** The path of the part. */
  under: string;
  fields: readonly ConfigField[];
  draft: RunConfig;
  /** What counts where the part says nothing. */
  usualOf(field: ConfigField): unknown;
  /** Whether the part may leave the fields out, so that they can go back to the usual value. */
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
        // A part that gets another name keeps its fields.
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
