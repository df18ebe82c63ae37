// Keys while nothing has the focus, for a player or for the visitor's game in it.
import { type RefObject, useEffect, useRef } from "react";
import { isForOnlyOne } from "../lib/takes-keys.ts";
import { useUi } from "../store/ui-store.ts";

/** A full player. */
export const PLAYERS = "[data-page-keys]";

/** A visitor's game in a full player. A level that is played beside a form or a chart leaves the arrow keys to the page. */
export const GAMES = `${PLAYERS} [data-own-keys]`;

type OnKey = (event: KeyboardEvent) => void;

/**
 * Calls `onKey` for keys that nothing else on the page takes, while single keys are on. The element must match `selector`, be the only one
 * on the page that does, and be in view. `onKey` is null for an element without such keys.
 */
export function usePageKeys(
  element: RefObject<HTMLElement | null>,
  selector: string,
  onKey: OnKey | null,
): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => listenForPageKeys(element, selector, latest), [element, selector]);
}

/** `usePageKeys` for the handler that `onKey` holds when a key is pressed. Returns what ends it. */
export function listenForPageKeys(
  element: RefObject<HTMLElement | null>,
  selector: string,
  onKey: RefObject<OnKey | null>,
): () => void {
  const listen = (event: KeyboardEvent) => {
    if (!onKey.current || !element.current || !useUi.getState().shortcuts) return;
    if (isForOnlyOne(event, element.current, selector)) onKey.current(event);
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
