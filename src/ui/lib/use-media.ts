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
