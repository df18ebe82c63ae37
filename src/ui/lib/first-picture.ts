// The first moving picture of the front page comes before everything else: what it does not need is loaded when it plays.
import { create } from "zustand";

/** A visit goes on without the picture after this time, as when its code does not arrive. */
const LONGEST_WAIT_MS = 10_000;

/** Other routes show no such picture, and wait for nothing. */
const isHome = /^(#\/?)?$/.test(globalThis.location?.hash ?? "");

const useShown = create<{ isShown: boolean }>()(() => ({ isShown: !isHome }));

/** Lets the rest of the page load: the picture moves, or it will not. */
export function firstPictureIsShown(): void {
  if (!useShown.getState().isShown) useShown.setState({ isShown: true });
}

/** Whether the rest of the page may load. */
export const useAfterFirstPicture = (): boolean => useShown(({ isShown }) => isShown);

/** Calls `work` as soon as the rest of the page may load. */
export function afterFirstPicture(work: () => void): void {
  if (useShown.getState().isShown) {
    work();
    return;
  }
  const stop = useShown.subscribe(() => {
    stop();
    work();
  });
  setTimeout(firstPictureIsShown, LONGEST_WAIT_MS);
}
