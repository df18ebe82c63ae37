// Tokens and turns as elements of the page.

/** The index of the token that an event happened on; null beside tokens. */
export function tokenAt(target: EventTarget | null): number | null {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-tok]") : null;
  return element ? Number(element.dataset.tok) : null;
}

/** Focuses a token once it is rendered, and scrolls it into view. */
export function focusToken(index: number): void {
  requestAnimationFrame(() => {
    const element = elementOf(index);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  });
}

/**
 * Scrolls a token into view that a player has reached. While it plays, only if the token before is in view: a reader who has scrolled away
 * stays there.
 */
export function followToken(index: number, before: number | null, isPlaying: boolean): void {
  if (isPlaying && before !== null && !isInWindow(before)) return;
  requestAnimationFrame(() => elementOf(index)?.scrollIntoView({ block: "nearest", behavior: "smooth" }));
}

const elementOf = (index: number): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-tok="${index}"]`);

function isInWindow(index: number): boolean {
  const { top, bottom } = elementOf(index)?.getBoundingClientRect() ?? { top: 0, bottom: -1 };
  return bottom > 0 && top < window.innerHeight;
}

export function showTurn(index: number, behavior: ScrollBehavior): void {
  document.getElementById(`turn-${index}`)?.scrollIntoView({ block: "start", behavior });
}
