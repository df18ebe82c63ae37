// Test aid only: what the page shows in a state of its stores, as markup.
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { applyEvent } from "../store/apply-event.ts";
import { runStore } from "../store/run-store.ts";
import { emptyView, type RunView, type ViewEvent } from "../store/run-view.ts";
import { useSession } from "../store/session-store.ts";

/** The view after these events. */
export const viewOf = (events: readonly ViewEvent[]): RunView =>
  events.reduce<RunView>(applyEvent, emptyView());

// React's server rendering reads this very object, whatever `getInitialState` of the hook returns later.
const initialSession = useSession.getInitialState();

/** The markup of `element` for a view of the run and for what the page knows besides; the stores are as before afterwards. */
export function snapshot(
  element: ReactElement,
  view: RunView,
  session: Partial<ReturnType<typeof useSession.getState>> = {},
): string {
  const before = runStore.getState();
  const { getInitialState } = runStore;
  const initialBefore = { ...initialSession };
  // React's server rendering reads the initial states of stores.
  runStore.getInitialState = runStore.getState;
  runStore.setState(view, true);
  Object.assign(initialSession, session);
  try {
    return renderToStaticMarkup(<MemoryRouter>{element}</MemoryRouter>);
  } finally {
    Object.assign(initialSession, initialBefore);
    runStore.setState(before, true);
    runStore.getInitialState = getInitialState;
  }
}
