// When a chart has to be drawn: charts below the screen are not, unless the page is printed.

/** What is needed of a window. Not every browser observes what is on screen. */
interface Page extends Pick<EventTarget, "addEventListener" | "removeEventListener"> {
  IntersectionObserver?: typeof IntersectionObserver;
}

/** A turn of the wheel: a chart so near is drawn before it comes on screen. */
const MARGIN = "120px";

interface Sight {
  /** Called whenever the element comes on screen, or nearly, and when it leaves. */
  onSight(isVisible: boolean): void;
  /** Called before the page is printed, which does not wait for anything. */
  onPrint(): void;
}

/** Watches an element until the result is called. Without an observer it counts as visible. */
export function watchSight(element: Element, { onSight, onPrint }: Sight, page: Page = window): () => void {
  page.addEventListener("beforeprint", onPrint);
  const stop = observe(element, onSight, page);
  return () => {
    page.removeEventListener("beforeprint", onPrint);
    stop();
  };
}

function observe(element: Element, onSight: Sight["onSight"], { IntersectionObserver: Observer }: Page) {
  if (!Observer) {
    onSight(true);
    return () => {};
  }
  // Of several entries the last one is the newest.
  const observer = new Observer((entries) => onSight(entries.at(-1)?.isIntersecting ?? false), {
    rootMargin: MARGIN,
    // On wide screens a panel scrolls, not the page: the margin of one does not widen the other.
    scrollMargin: MARGIN,
  });
  observer.observe(element);
  return () => observer.disconnect();
}
