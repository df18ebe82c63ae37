// Rooms whose code is loaded when they are needed, or before, while the page has nothing else to do.
import { type ComponentType, lazy, useState } from "react";
import { savesData } from "./save-data.ts";

interface Room {
  load: () => Promise<unknown>;
  forget: () => void;
}

const rooms: Room[] = [];

interface Loaded<P> {
  default: ComponentType<P>;
}

/**
 * A component whose code is loaded later. Mounted again after a failure, as by "Try again", it loads the code again.
 * @param notLoaded what is shown in its place when the code does not arrive; without it the failure is thrown
 */
export function room<P extends object>(
  load: () => Promise<Loaded<P>>,
  notLoaded?: ComponentType<P>,
): ComponentType<P> {
  // React suspends at the first render of a lazy component even if its code is loaded, so a loaded one is rendered directly.
  let ready: ComponentType<P> | null = null;
  let Lazy: ComponentType<P>;
  const loadReady = async (): Promise<Loaded<P>> => {
    const loaded = await load();
    ready = loaded.default;
    return loaded;
  };
  const loadShown = () =>
    loadReady().catch((error): Loaded<P> => {
      if (notLoaded) return { default: notLoaded };
      throw error;
    });
  const forget = () => {
    Lazy = lazy(loadShown) as unknown as ComponentType<P>;
  };
  forget();
  rooms.push({ load: loadReady, forget });
  return function Room(props: P) {
    const [Shown] = useState(() => ready ?? Lazy);
    return <Shown {...props} />;
  };
}

/** React caches a failed load for good; this makes every room load again when it is next opened. */
export function forgetFailedRooms(): void {
  for (const { forget } of rooms) forget();
}

/** Loads the code of every room once the page is idle, so that each opens without a network too; not for a visitor who saves data. */
export function loadRoomsWhenIdle(): void {
  if (savesData()) return;
  const idle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 2000));
  idle(async () => {
    // Rooms of rooms are added to the list meanwhile. One that does not load now is tried again when it is opened.
    for (const { load } of rooms) await load().catch(() => undefined);
  });
}

/** The code of a room did not arrive; browsers word it differently. */
export const isLoadFailure = ({ message }: Error): boolean =>
  /dynamically imported module|importing a module|module script failed|preload CSS/i.test(message);
