// Where the page is scrolled to. A room that is entered begins at its top; one that is gone back to stands as it was left.
import { useEffect, useLayoutEffect, useState } from "react";
import { useLocation, useNavigationType } from "react-router";

/** How far down each entry of the browser's history was left, in pixels. */
export class ScrollPlaces {
  readonly #places = new Map<string, number>();
  #entry: string | null = null;

  /** The entry on screen is scrolled to `y`. */
  note(y: number): void {
    if (this.#entry !== null) this.#places.set(this.#entry, y);
  }

  /** Another entry is on screen. Returns where it has to be scrolled to; null: it stays as it is. */
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

/** On wide screens `main` scrolls, on small ones the page; the other one always stands at 0. */
const room = () => document.getElementById("main");
const placeNow = (): number => Math.max(window.scrollY, room()?.scrollTop ?? 0);

function scrollRoom(y: number): void {
  window.scrollTo(0, y);
  room()?.scrollTo(0, y);
}

/** Scrolls with the address. Places are heard of while they last: when the next room stands, the last one's is gone. */
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
