// The focus, when the control that had it cannot be used any more.

const STRIP = '[data-testid="run-strip"]';
const GOES_ON = ["Resume", "Pause"].map((title) => `${STRIP} button[title^="${title}"]:enabled`).join();

/**
 * Puts the focus on the button that resumes or pauses the run, or on the run's strip while neither can be pressed. Does nothing if another
 * element has the focus by the next frame.
 */
export function focusRun(): void {
  if (typeof document === "undefined") return;
  requestAnimationFrame(() => {
    const strip = document.querySelector<HTMLElement>(STRIP);
    const isFree = [null, document.body, strip].includes(document.activeElement as HTMLElement | null);
    if (!strip || !isFree) return;
    // The strip takes the focus by script only, not with the Tab key.
    strip.tabIndex = -1;
    (document.querySelector<HTMLElement>(GOES_ON) ?? strip).focus({ preventScroll: true });
  });
}
