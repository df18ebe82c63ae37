// Scroll positions. A new route begins at its top; going back restores the position that it was left at. React Router's
// ScrollRestoration needs a data router and knows only the window, while on wide screens `main` scrolls.
import { useLayoutEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";

/** Scroll positions in pixels, by the key of a location and by the place of its entry in the browser's history. */
const places = new Map<string, number>();

/**
 * What the position of the present entry is kept under: its key, and its index in the history with its path. Replacing the address changes
 * an entry's key, even if the visitor goes back before React renders the change, so a key alone may be unknown later. An address that
 * was typed or pasted has neither, and begins at its top: React Router gives all such entries one key.
 */
function namesOf(key: string, pathname: string): readonly string[] {
  const state = window.history.state as { idx?: number } | null;
  return state?.idx === undefined ? [] : [key, `${state.idx} ${pathname}`];
}

/** On wide screens `main` scrolls, on small ones the page; the other one is always at 0. */
const room = () => document.getElementById("main");
const placeNow = (): number => Math.max(window.scrollY, room()?.scrollTop ?? 0);

function scrollRoom(y: number): void {
  window.scrollTo(0, y);
  room()?.scrollTo(0, y);
}

/** How long a restored position is held, in ms: what comes above it late, such as pictures, would move it. */
const HELD_MS = 1500;

/** What a visitor does who wants to be elsewhere. */
const HANDS = ["wheel", "touchmove", "keydown", "pointerdown", "focusin"] as const;

/** Restores positions when the address changes. They are recorded while scrolling: after a change they would be lost. */
export function useScrollPlaces(): void {
  const { key, pathname } = useLocation();
  const how = useNavigationType();
  /** The position to restore and hold; null after that. */
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    const names = namesOf(key, pathname);
    const known = names.map((name) => places.get(name)).find((place) => place !== undefined);
    // The first entry stays where the browser puts it. REPLACE changes only the address of what is on screen, so a position
    // that could not be restored yet is still wanted.
    if (how !== "REPLACE") wanted.current = how === "POP" && places.size > 0 ? (known ?? 0) : null;
    if (how === "PUSH") scrollRoom(0);
    const note = () => {
      for (const name of names) places.set(name, placeNow());
    };
    // The top of a room needs no holding.
    const until = performance.now() + (wanted.current ? HELD_MS : 0);
    // The content of a room may come later than the room, which is too low for the position until then.
    const follow = () => {
      if (wanted.current === null) return note();
      scrollRoom(wanted.current);
      if (performance.now() < until || placeNow() <= wanted.current - 1) return;
      wanted.current = null;
      note();
    };
    const sizes = new ResizeObserver(follow);
    const growth = new MutationObserver(() => {
      for (const part of room()?.children ?? []) sizes.observe(part);
      if (wanted.current !== null) follow();
    });
    growth.observe(document.body, { childList: true, subtree: true });
    if (wanted.current !== null || how !== "POP") follow();
    const held = setTimeout(follow, HELD_MS);
    const over = new AbortController();
    const options = { capture: true, passive: true, signal: over.signal };
    document.addEventListener("scroll", follow, options);
    for (const hand of HANDS) document.addEventListener(hand, () => (wanted.current = null), options);
    return () => {
      growth.disconnect();
      sizes.disconnect();
      clearTimeout(held);
      over.abort();
    };
  }, [key, pathname, how]);
}
