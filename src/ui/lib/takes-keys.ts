// Elements that need the keys for themselves.

/** The element uses letters itself: a text field, a list, an open dialog. */
export function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog[open]")) return true;
  const field = target.closest("input, textarea, select, [contenteditable]");
  if (!field) return false;
  // Switches and sliders take no letters.
  return !(
    field instanceof HTMLInputElement && ["checkbox", "radio", "range", "button"].includes(field.type)
  );
}
