import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setUi, useUi } from "../store/ui-store.ts";
import { listenForPageKeys, PLAYERS } from "./page-keys.ts";
import type { Controls } from "./play-bar.tsx";
import { onPageKey } from "./player-keys.ts";

/** The body, and the only player on its page, which fills the window. */
class Part {
  matches(): boolean {
    return true;
  }
  closest(): null {
    return null;
  }
  querySelector(): null {
    return null;
  }
  getBoundingClientRect() {
    return { left: 0, right: 800, top: 0, bottom: 600 };
  }
}
const body = new Part();
const player = new Part() as unknown as HTMLElement;
const listeners = new Set<(event: unknown) => void>();
const press = () => {
  for (const listener of listeners) listener({ key: "]", target: body, defaultPrevented: false });
};
const { shortcuts } = useUi.getState();

beforeEach(() => {
  listeners.clear();
  vi.stubGlobal("HTMLElement", Part);
  vi.stubGlobal("window", { innerWidth: 800, innerHeight: 600 });
  vi.stubGlobal("document", {
    addEventListener: (_: string, listener: (event: unknown) => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: (event: unknown) => void) => listeners.delete(listener),
    querySelector: () => null,
    querySelectorAll: (selector: string) => (selector === PLAYERS ? [player] : []),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  setUi({ shortcuts });
});

it("calls the newest handler while single keys are on, until it ends", () => {
  const handler: { current: ((event: KeyboardEvent) => void) | null } = { current: null };
  setUi({ shortcuts: true });
  const end = listenForPageKeys({ current: player }, PLAYERS, handler);
  press();
  const onKey = vi.fn();
  handler.current = onKey;
  press();
  expect(onKey).toHaveBeenCalledTimes(1);
  setUi({ shortcuts: false });
  press();
  expect(onKey).toHaveBeenCalledTimes(1);
  setUi({ shortcuts: true });
  end();
  press();
  expect(onKey).toHaveBeenCalledTimes(1);
});

it("leaves Home and End to the page, and every key to a game in the player", () => {
  const modifiers = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
  const steps = (key: string, hasGame = false) => {
    const onStep = vi.fn();
    const onEnd = vi.fn();
    onPageKey(
      { key, target: null, defaultPrevented: false, preventDefault: () => undefined, ...modifiers },
      { clock: {}, onStep, onEnd } as unknown as Controls,
      { querySelector: () => (hasGame ? body : null) } as unknown as Element,
    );
    return onStep.mock.calls.length + onEnd.mock.calls.length;
  };
  expect([steps("]"), steps("Home"), steps("End"), steps("]", true)]).toEqual([1, 0, 0, 0]);
});
