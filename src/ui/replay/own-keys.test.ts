import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { onGameKey } from "./own-keys.ts";

beforeEach(() => {
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("HTMLElement", class {});
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** What a key did: the action that was played, how, and whether the page may still scroll. */
function press(key: string, { isOver = false, repeat = false, ctrlKey = false } = {}) {
  const played: string[] = [];
  const preventDefault = vi.fn();
  const modifiers = { altKey: false, ctrlKey, metaKey: false };
  onGameKey(
    { key, repeat, target: null, preventDefault, ...modifiers },
    {
      actions: ["Left", "Down", "Right", "Up"],
      isOver,
      play: (name) => played.push(name),
      playAgain: (name) => played.push(`${name} again`),
    },
  );
  return { played, scrolls: preventDefault.mock.calls.length === 0 };
}

it("plays the action of an arrow key in place of scrolling", () => {
  expect(press("ArrowDown")).toEqual({ played: ["Down"], scrolls: false });
  expect(press("ArrowDown", { repeat: true })).toEqual({ played: ["Down again"], scrolls: false });
});
it("leaves other keys to the page", () => {
  expect(press("PageDown")).toEqual({ played: [], scrolls: true });
  expect(press("ArrowDown", { ctrlKey: true })).toEqual({ played: [], scrolls: true });
});
it("leaves the arrow keys to the page once the game has ended", () => {
  expect(press("ArrowDown", { isOver: true })).toEqual({ played: [], scrolls: true });
});
