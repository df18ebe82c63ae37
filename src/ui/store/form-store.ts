// Which parameters the form shows besides those that the view (basic or all) has: for this visit only.
import { create } from "zustand";
import { setUi } from "./ui-store.ts";

interface FormState {
  search: string;
  changedOnly: boolean;
}

export const useForm = create<FormState>()(() => ({ search: "", changedOnly: false }));
export const setForm = (change: Partial<FormState>): void => useForm.setState(change);

/** Shows a field, whatever hides it, and puts the focus into it. */
export function focusField(path: string): void {
  setUi({ showAllFields: true, configureOpen: true, trainTab: "configure" });
  setForm({ search: "", changedOnly: false });
  requestAnimationFrame(() => {
    const row = rowOf(path);
    if (!row) return;
    for (let part = row.closest("details"); part; part = part.parentElement!.closest("details"))
      part.open = true;
    row.scrollIntoView({ block: "center" });
    row.querySelector<HTMLElement>(FOCUSABLE)?.focus({ preventScroll: true });
  });
}

const FOCUSABLE = "summary, input:not([type=range]), select";

/** The row of a field; where it has none, that of the part of the form that it belongs to. */
function rowOf(path: string): HTMLElement | null {
  const id = CSS.escape(path);
  const row = document.querySelector<HTMLElement>(`[data-field="${id}"], [data-part="${id}"]`);
  const above = path.lastIndexOf(".");
  return row || above < 0 ? row : rowOf(path.slice(0, above));
}

/** Shows the extensions, and puts the focus on their heading. */
export function focusExtensions(): void {
  setUi({ configureOpen: true, trainTab: "configure" });
  requestAnimationFrame(() => {
    const place = document.querySelector<HTMLDetailsElement>('[data-testid="extensions"]');
    if (!place) return;
    place.open = true;
    place.scrollIntoView({ block: "center" });
    place.querySelector("summary")?.focus({ preventScroll: true });
  });
}
