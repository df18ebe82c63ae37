// What can be seen, so that nothing is loaded or moved for a part of the page that no visitor has reached.
import { type RefObject, useEffect, useRef, useState } from "react";

interface OnScreen<E extends Element> {
  ref: RefObject<E | null>;
  /** The element has been within a screen of what is visible; in a row that scrolls sideways, within a row's width. */
  near: boolean;
  /** Most of it is visible now. */
  visible: boolean;
}

/** The room, where it scrolls itself; null for the page. */
function scrollingAncestor(element: Element): Element | null {
  const room = element.closest("main");
  return room && getComputedStyle(room).overflowY !== "visible" ? room : null;
}

/** Follows whether an element is on screen. */
export function useOnScreen<E extends Element>(): OnScreen<E> {
  const ref = useRef<E>(null);
  const [near, setNear] = useState(false);
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const close = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      // On wide screens `main` scrolls, on small ones the page; the margin of one does not widen the other.
      root: scrollingAncestor(element),
      rootMargin: "100%",
      // A row to swipe is within the root: without a margin of its own it would hide the next card until that is in view.
      scrollMargin: "100%",
    });
    const most = new IntersectionObserver(([entry]) => setVisible(entry?.isIntersecting ?? false), {
      threshold: 0.6,
    });
    close.observe(element);
    most.observe(element);
    return () => {
      close.disconnect();
      most.disconnect();
    };
  }, []);
  return { ref, near, visible };
}
