// Scroll positions. A new route begins at its top; going back restores the position that it was left at. React Router's
// ScrollRestoration needs a data router and knows only the window, while on wide screens `main` scrolls.
import { useLayoutEffect } from "react";
import { useLocation, useNavigationType } from "react-router";

/** The scroll position of each entry of the browser's history, in pixels. */
const places = new Map<string, number>();

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
  useLayoutEffect(() => {
    const note = () => places.set(key, placeNow());
    // The first entry stays where the browser puts it; REPLACE changes only the address of what is on screen.
    if (how === "POP" && places.size > 0) scrollRoom(places.get(key) ?? 0);
    if (how === "PUSH") scrollRoom(0);
    if (how !== "POP") note();
    document.addEventListener("scroll", note, { capture: true, passive: true });
    return () => document.removeEventListener("scroll", note, { capture: true });
  }, [key, how]);
}
