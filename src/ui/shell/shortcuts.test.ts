import { describe, expect, it } from "vitest";
import { SHORTCUTS, shortcutOf } from "./shortcuts.ts";

const press = (key: string, more = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

describe("shortcuts", () => {
  it.each([
    ["s", {}, "start"],
    ["S", { shiftKey: true }, "stop"],
    ["p", {}, "pause"],
    ["n", {}, "step"],
    ["k", {}, "save"],
    ["?", { shiftKey: true }, "help"],
    ["z", { ctrlKey: true }, "undo"],
    ["Z", { metaKey: true, shiftKey: true }, "redo"],
  ] as const)("%s with %o is %s", (key, more, want) => expect(shortcutOf(press(key, more), true)).toBe(want));

  it("leaves the browser's own chords alone", () => {
    for (const key of ["s", "p", "n"]) expect(shortcutOf(press(key, { ctrlKey: true }), true)).toBeNull();
    expect(shortcutOf(press("s", { altKey: true }), true)).toBeNull();
  });
  it("can be switched off, except undo (A3)", () => {
    for (const key of ["s", "S", "p", "n", "?"]) expect(shortcutOf(press(key), false)).toBeNull();
    expect(shortcutOf(press("z", { ctrlKey: true }), false)).toBe("undo");
  });
  it("are listed, each once in its group", () => {
    for (const { group, items } of SHORTCUTS) {
      const keys = items.map((item) => item.keys);
      expect(new Set(keys).size, group).toBe(keys.length);
    }
  });
});
