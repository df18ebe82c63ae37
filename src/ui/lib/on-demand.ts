// Modules that are loaded when a component first needs them.
import { useEffect } from "react";
import { create } from "zustand";
import { noteMissingCode } from "./missing-code.ts";

/** A hook that gives what `load` resolves to; null until then. A load that failed (no network) is tried again by the next user. */
export function onDemand<T>(load: () => Promise<T>): () => T | null {
  const useLoaded = create<{ value: T | null }>(() => ({ value: null }));
  return () => {
    useEffect(() => {
      if (useLoaded.getState().value === null)
        load().then((value) => useLoaded.setState({ value }), noteMissingCode);
    }, []);
    return useLoaded(({ value }) => value);
  };
}
