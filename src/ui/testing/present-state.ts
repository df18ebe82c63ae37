// Test aid only.
import { afterAll } from "vitest";
import type { StoreApi } from "zustand";

/**
 * React's server rendering reads a store's initial state. In the test file that calls this, it reads the present one.
 * The stores are reset afterwards, because the unit tests of a process share them.
 */
export function renderPresentState(
  ...stores: Pick<StoreApi<object>, "getInitialState" | "getState" | "setState">[]
) {
  for (const store of stores) {
    const { getInitialState } = store;
    store.getInitialState = store.getState;
    afterAll(() => {
      store.getInitialState = getInitialState;
      store.setState(getInitialState(), true);
    });
  }
}
