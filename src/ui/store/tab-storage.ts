// The storage of this tab, which outlives a reload and a crash of the tab. It may be blocked or full; what would be kept then lasts as long
// as the page.

export type TabStorage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">;

/** Undefined where it is blocked: even to name it throws there. */
export const tabStorage = (): TabStorage | undefined => attempt(() => sessionStorage);

/** The result of `work`; undefined when it throws. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
