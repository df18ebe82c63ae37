// Which part of the page a key is for.

/** The key is not for the rest of the page: a dialog is open, or the element uses letters itself, as text fields and lists do. */
export function takesKeys(target: EventTarget | null): boolean {
  // A click on the text of a dialog leaves the focus on the body, so that its place does not tell.
  if (document.querySelector("dialog[open]")) return true;
  if (!(target instanceof HTMLElement)) return false;
  const field = target.closest("input, textarea, select, [contenteditable]");
  if (!field) return false;
  // Switches and sliders take no letters.
  return !(
    field instanceof HTMLInputElement && ["checkbox", "radio", "range", "button"].includes(field.type)
  );
}

/**
 * Whether a key that nothing has taken is for `element`: nothing has the focus, no dialog is open, and the element is the only one on the
 * page that matches `selector`, and in view.
 */
export function isForOnlyOne(
  { defaultPrevented, target }: Pick<Event, "defaultPrevented" | "target">,
  element: Element,
  selector: string,
): boolean {
  if (defaultPrevented || !isFree(target) || takesKeys(target)) return false;
  const all = document.querySelectorAll(selector);
  return all.length === 1 && all[0] === element && isInView(element.querySelector("canvas") ?? element);
}

/** Nothing has the focus, as after a click beside every control: the page's own content has the keys. */
const isFree = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("body, #main");

/** Whether the centre of an element is in the window. A reader who has scrolled past most of it looks at something else. */
function isInView(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return x >= 0 && x <= window.innerWidth && y >= 0 && y <= window.innerHeight;
}
