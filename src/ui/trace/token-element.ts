// Tokens and turns as elements of the page.

/** The index of the token that an event happened on; null beside tokens. */
export function tokenAt(target: EventTarget | null): number | null {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-tok]") : null;
  return element ? Number(element.dataset.tok) : null;
}

/** Focuses a token once it is rendered, and scrolls it into view. */
export function focusToken(index: number): void {
  requestAnimationFrame(() => {
    const element = document.querySelector<HTMLElement>(`[data-tok="${index}"]`);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  });
}

export function showTurn(index: number, behavior: ScrollBehavior): void {
  document.getElementById(`turn-${index}`)?.scrollIntoView({ block: "start", behavior });
}
