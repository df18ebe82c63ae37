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
    const row = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(path)}"]`);
    row?.scrollIntoView({ block: "center" });
    row?.querySelector<HTMLElement>("input:not([type=range]), select")?.focus({ preventScroll: true });
  });
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
