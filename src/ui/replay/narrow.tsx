// Whether a player has the room of a phone held upright. The style sheet decides (`@xl`), and this reads what it decided, so that layouts
// made by classes and by code change at one width.
import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from "react";

const Narrow = createContext(false);

/** Whether the player around a component is narrower than `@xl`; false outside a player. */
export const useNarrow = (): boolean => useContext(Narrow);

/** Provides `useNarrow` within a player. Its parent must be the container that `@xl` measures. */
export function NarrowWithin({ children }: { children: ReactNode }) {
  const probe = useRef<HTMLSpanElement>(null);
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const mark = probe.current!;
    const read = () => setNarrow(getComputedStyle(mark).getPropertyValue("--narrow") === "1");
    const observer = new ResizeObserver(read);
    observer.observe(mark.parentElement!);
    read();
    return () => observer.disconnect();
  }, []);
  return (
    <Narrow value={narrow}>
      <span ref={probe} className="hidden [--narrow:1] @xl:[--narrow:0]" />
      {children}
    </Narrow>
  );
}
