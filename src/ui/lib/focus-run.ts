// The focus, when the control that had it cannot be used any more.

const STRIP = "[data-run-strip]";
const GOES_ON = `${STRIP} button[data-goes-on]:enabled`;
const INPUTS = ["pointerdown", "keydown"] as const;

/**
 * Puts the focus on the button that resumes or pauses the run, or on the run's strip while neither can be pressed. Does nothing if another
 * element has the focus by the next frame.
 * @returns does the same again, once, unless a key or a pointer was pressed on the page since: who reads on by then would press the button
 * with the Space that scrolls
 */
export function focusRun(): () => void {
  if (typeof document === "undefined") return () => {};
  moveFocus();
  const isUnused = watchInputs();
  return () => {
    if (isUnused()) moveFocus();
  };
}

function moveFocus(): void {
  requestAnimationFrame(() => {
    const strip = document.querySelector<HTMLElement>(STRIP);
    const isFree = [null, document.body, strip].includes(document.activeElement as HTMLElement | null);
    if (!strip || !isFree) return;
    // The strip takes the focus by script only, not with the Tab key.
    strip.tabIndex = -1;
    (document.querySelector<HTMLElement>(GOES_ON) ?? strip).focus({ preventScroll: true });
  });
}

/** Watches for keys and pointers that are pressed. @returns ends the watch, with whether there were none */
function watchInputs(): () => boolean {
  let isUnused = true;
  const note = (event: Event) => {
    // A key that is still held down was pressed before.
    if (!(event as KeyboardEvent).repeat) isUnused = false;
  };
  for (const input of INPUTS) document.addEventListener(input, note, true);
  return () => {
    for (const input of INPUTS) document.removeEventListener(input, note, true);
    return isUnused;
  };
}
