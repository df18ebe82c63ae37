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

/** Nothing has the focus, as after a click beside every control: the page's own content has the keys. */
export const isFree = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("body, #main");

/** Whether an element is the only one on the page that matches `selector`, and in view: keys that nothing else takes are for it. */
export function isOnlyOneInView(element: Element, selector: string): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return document.querySelectorAll(selector).length === 1 && bottom > 0 && top < window.innerHeight;
}
