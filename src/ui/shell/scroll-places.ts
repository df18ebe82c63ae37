// Scroll positions. A new route begins at its top; going back restores the position that it was left at. React Router's
// ScrollRestoration needs a data router and knows only the window, while on wide screens `main` scrolls.
import { useEffect, useLayoutEffect, useState } from "react";
import { useLocation, useNavigationType } from "react-router";

/** The scroll position of each entry of the browser's history, in pixels. */
export class ScrollPlaces {
  readonly #places = new Map<string, number>();
  #entry: string | null = null;

  /** The entry on screen is scrolled to `y`. */
  note(y: number): void {
    if (this.#entry !== null) this.#places.set(this.#entry, y);
  }

  /** Another entry is on screen. Returns the position to scroll to; null to leave it. */
  enter(entry: string, how: `${"POP" | "PUSH" | "REPLACE"}`): number | null {
    const last = this.#entry;
    this.#entry = entry;
    if (how === "PUSH") return 0;
    if (how === "POP") return last === null ? null : (this.#places.get(entry) ?? 0);
    // Only the address of what is on screen has changed.
    this.#places.set(entry, this.#places.get(last ?? "") ?? 0);
    return null;
  }
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
  const [places] = useState(() => new ScrollPlaces());
  useEffect(() => {
    const note = () => places.note(placeNow());
    document.addEventListener("scroll", note, { capture: true, passive: true });
    return () => document.removeEventListener("scroll", note, { capture: true });
  }, [places]);
  useLayoutEffect(() => {
    const y = places.enter(key, how);
    if (y !== null) scrollRoom(y);
  }, [places, key, how]);
}
