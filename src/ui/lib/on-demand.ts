// Modules that are loaded when a component first needs them.
import { useEffect } from "react";
import { create } from "zustand";

/** A hook that gives what `load` resolves to; null until then. It is loaded once for the page. */
export function onDemand<T>(load: () => Promise<T>): () => T | null {
  const useLoaded = create<{ value: T | null }>(() => ({ value: null }));
  return () => {
    useEffect(() => {
      if (useLoaded.getState().value === null) void load().then((value) => useLoaded.setState({ value }));
    }, []);
    return useLoaded(({ value }) => value);
  };
}
