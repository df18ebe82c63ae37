// Cases by the variant that they run.
import type { KernelCase } from "./case.ts";

/** The cases of each variant, by its label, in the order of the cases. */
export function casesByVariant(cases: readonly KernelCase[]): Map<string, KernelCase[]> {
  const groups = new Map<string, KernelCase[]>();
  for (const each of cases) {
    const group = groups.get(each.spec.label);
    if (group) group.push(each);
    else groups.set(each.spec.label, [each]);
  }
  return groups;
}
