// The size of an element, from one ResizeObserver for the whole page.
import { useEffect, useRef, useState } from "react";

type Listener = (width: number) => void;
const listeners = new WeakMap<Element, Listener>();
let observer: ResizeObserver | null = null;

function observe(element: Element, listener: Listener): () => void {
  observer ??= new ResizeObserver((entries) => {
    for (const entry of entries) listeners.get(entry.target)?.(entry.contentRect.width);
  });
  listeners.set(element, listener);
  observer.observe(element);
  return () => {
    listeners.delete(element);
    observer?.unobserve(element);
  };
}

/** A ref to put on an element, and its content width in whole pixels; 0 before the first layout. */
export function useWidth<E extends HTMLElement>(): [React.RefObject<E | null>, number] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    return observe(element, (next) => setWidth(Math.floor(next)));
  }, []);
  return [ref, width];
}
