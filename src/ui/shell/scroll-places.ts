// Scroll positions. A new route begins at its top; going back restores the position that it was left at. React Router's
// ScrollRestoration needs a data router and knows only the window, while on wide screens `main` scrolls.
import { useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";

/** The scroll position of each entry of the browser's history, in pixels, by its index. */
const places = new Map<number, number>();

/** What React Router keeps with an entry. */
interface EntryState {
  key?: string;
  idx?: number;
}

/**
 * The index of the entry that a rendered location belongs to. A key does not name it for good: replacing an address changes the key, also
 * when the visitor goes back before that is rendered. Null where the history is elsewhere already.
 */
function entryOf(key: string): number | null {
  const state = window.history.state as EntryState | null;
  return (state?.key ?? "default") === key ? (state?.idx ?? 0) : null;
}

/** On wide screens `main` scrolls, on small ones the page; the other one is always at 0. */
const room = () => document.getElementById("main");
const placeNow = (): number => Math.max(window.scrollY, room()?.scrollTop ?? 0);

function scrollRoom(y: number): void {
  window.scrollTo(0, y);
  room()?.scrollTo(0, y);
}

/** Restores positions when the address changes. They are recorded while scrolling: after a change they would be lost. */
export function useScrollPlaces(): void {
  const { key } = useLocation();
  const how = useNavigationType();
  /** The position to restore; null once the room is there. */
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    const entry = entryOf(key);
    const known = entry === null ? undefined : places.get(entry);
    // The first entry stays where the browser puts it. REPLACE changes only the address of what is on screen, so a position
    // that could not be restored yet is still wanted.
    if (how !== "REPLACE") wanted.current = how === "POP" && places.size > 0 ? (known ?? 0) : null;
    if (how === "PUSH") scrollRoom(0);
    const note = () => {
      if (wanted.current === null && entry !== null) places.set(entry, placeNow());
    };
    // The content of a room may come later than the room, which is too low for the position until then.
    const restore = () => {
      if (wanted.current === null) return;
      scrollRoom(wanted.current);
      if (placeNow() <= wanted.current - 1) return;
      wanted.current = null;
      note();
    };
    const growth = new MutationObserver(restore);
    growth.observe(document.body, { childList: true, subtree: true });
    restore();
    if (how !== "POP") note();
    const over = new AbortController();
    const options = { capture: true, passive: true, signal: over.signal };
    document.addEventListener("scroll", note, options);
    // A visitor who scrolls wants to be elsewhere.
    for (const hand of ["wheel", "touchmove", "keydown"])
      document.addEventListener(hand, () => (wanted.current = null), options);
    return () => {
      growth.disconnect();
      over.abort();
    };
  }, [key, how]);
}
