// Tracks whether background code failed to load: the network failed, or the studio's files were replaced.
import { create } from "zustand";

const useMissing = create<{ isMissing: boolean }>(() => ({ isMissing: false }));

/** Records that code failed to load that the page fetches by itself. A room that fails to load reports that in its own place. */
export const noteMissingCode = (): void => useMissing.setState({ isMissing: true });

/** Whether such code failed to load, so that a placeholder may never be replaced. */
export const useMissingCode = (): boolean => useMissing(({ isMissing }) => isMissing);
