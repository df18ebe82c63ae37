// The scroll position of a panel of Train. On wide screens the panel scrolls by itself, on small ones the page does. The browser loses one
// position while the other is in use, and both while another panel is shown.
import { type RefObject, useLayoutEffect, useRef } from "react";
import { isWide } from "../lib/use-media.ts";

type Layout = "wide" | "narrow";

type Places = Partial<Record<Layout, number>>;

/** How long charts and lists may take to fit a new width, and how long content may take to load, in milliseconds. */
const SETTLE_MS = 400;
const LOADED_MS = 5000;

/** Brings a panel back to where it was left at this width when it is shown again. */
export function useScrollPlace(panel: RefObject<HTMLElement | null>, wide: boolean, isShown: boolean): void {
  const layout = wide ? "wide" : "narrow";
  const places = useRef<Places>({});
  useLayoutEffect(() => {
    if (isShown && panel.current) return keepPlace(panel.current, places.current, layout);
  }, [panel, layout, isShown]);
}

function keepPlace(panel: HTMLElement, places: Places, layout: Layout): () => void {
  const scroller = layout === "wide" ? panel : document.documentElement;
  /** The position to restore; null once the panel has come to rest there. */
  let wanted = places[layout] ?? null;
  let isSettled = false;
  const changes = new MutationObserver(() => restore());
  const rest = () => {
    wanted = null;
    changes.disconnect();
  };
  const restore = () => {
    if (wanted === null) return;
    scroller.scrollTop = wanted;
    if (isSettled && scroller.scrollTop > wanted - 1) rest();
  };
  const note = () => {
    // Where the window has just become wider or narrower, the browser scrolled, not the visitor.
    if (wanted === null && isWide() === (layout === "wide")) places[layout] = scroller.scrollTop;
  };
  if (wanted !== null) changes.observe(panel, { childList: true, subtree: true, attributeFilter: ["style"] });
  // Charts and cards take several frames to fit a width. Until then a position may be right by chance only.
  let frame = 0;
  const follow = () => {
    restore();
    if (!isSettled && wanted !== null) frame = requestAnimationFrame(follow);
  };
  follow();
  const settling = setTimeout(() => {
    isSettled = true;
    restore();
  }, SETTLE_MS);
  const loading = setTimeout(rest, LOADED_MS);
  const over = new AbortController();
  const options = { passive: true, signal: over.signal };
  (layout === "wide" ? panel : document).addEventListener("scroll", note, options);
  // A visitor who does something wants to be elsewhere.
  for (const hand of ["wheel", "touchmove", "pointerdown", "keydown"])
    document.addEventListener(hand, rest, { ...options, capture: true });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(settling);
    clearTimeout(loading);
    changes.disconnect();
    over.abort();
  };
}
