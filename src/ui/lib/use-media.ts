// A media query, followed.
import { useSyncExternalStore } from "react";

/** Whether a media query matches; false where there is no screen. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query);
      media.addEventListener("change", onChange);
      return () => media.removeEventListener("change", onChange);
    },
    () => matchMedia(query).matches,
    () => false,
  );
}

/** The visitor asked their system for less motion. */
export const useReducedMotion = (): boolean => useMedia("(prefers-reduced-motion: reduce)");

/** Where Tailwind's `lg` begins, from which the panels of Train are side by side. */
const WIDE = "(min-width: 1024px)";

/** Whether the panels of Train are side by side, at this moment. */
export const isWide = (): boolean => matchMedia(WIDE).matches;

/** Whether the panels of Train are side by side; on narrower screens they are behind tabs. */
export const useWide = (): boolean => useMedia(WIDE);

/** Whether the screen is a phone held upright: narrower than Tailwind's `sm`. */
export const usePhone = (): boolean => useMedia("(max-width: 639px)");
