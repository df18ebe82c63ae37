// Code that the page loads after its beginning, and that did not arrive: the network failed, or the studio's files were replaced.
import { create } from "zustand";

const useMissing = create<{ isMissing: boolean }>(() => ({ isMissing: false }));

/** Notes that code did not arrive that the visitor has not asked for. A room that does not arrive says so itself. */
export const noteMissingCode = (): void => useMissing.setState({ isMissing: true });

/** Whether code is missing, so that what waits for it may wait for ever. */
export const useMissingCode = (): boolean => useMissing(({ isMissing }) => isMissing);
