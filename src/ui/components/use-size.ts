// The size of an element.
import { useEffect, useRef, useState } from "react";

type Measured<E> = [React.RefObject<E | null>, number];

/** A ref to put on an element, and its content width in whole pixels; 0 before the first layout. */
export const useWidth = <E extends HTMLElement>(): Measured<E> =>
  useMeasured(({ contentRect }) => Math.floor(contentRect.width));

/** A ref to put on an element, and its height with borders in whole pixels; 0 before the first layout. */
export const useHeight = <E extends HTMLElement>(): Measured<E> =>
  useMeasured(({ borderBoxSize }) => Math.ceil(borderBoxSize[0]!.blockSize));

function useMeasured<E extends HTMLElement>(measure: (entry: ResizeObserverEntry) => number): Measured<E> {
  const ref = useRef<E>(null);
  const [size, setSize] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every caller always measures the same
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setSize(measure(entry!)));
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
