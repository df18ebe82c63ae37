import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isForOnlyOne, takesKeys } from "./takes-keys.ts";

/** An element that matches some selectors: what these functions ask of a page. */
class Part {
  /** The top edge and the height, in px from the top of the window. */
  top = 0;
  height = 400;
  picture: Part | null = null;
  constructor(readonly selectors: readonly string[] = []) {}
  matches(list: string): boolean {
    return list.split(", ").some((selector) => this.selectors.includes(selector));
  }
  closest(list: string): Part | null {
    return this.matches(list) ? this : null;
  }
  querySelector(selector: string): Part | null {
    return selector === "canvas" ? this.picture : null;
  }
  getBoundingClientRect() {
    return { left: 0, right: 400, top: this.top, bottom: this.top + this.height };
  }
}
class Input extends Part {
  constructor(readonly type: string) {
    super(["input"]);
  }
}

const GAME = "[data-game]";
let parts: Part[] = [];
const body = new Part(["body"]);
const page = {
  querySelectorAll: (selector: string) => parts.filter((part) => part.matches(selector)),
  querySelector: (selector: string) => parts.find((part) => part.matches(selector)) ?? null,
};
const game = (change: Partial<Part> = {}) => Object.assign(new Part([GAME]), change);
const isFor = (element: Part, target: Part = body, defaultPrevented = false) =>
  isForOnlyOne(
    { target: target as unknown as EventTarget, defaultPrevented },
    element as unknown as Element,
    GAME,
  );
const takes = (target: Part) => takesKeys(target as unknown as EventTarget);

beforeEach(() => {
  parts = [];
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", { innerWidth: 1024, innerHeight: 800 });
  vi.stubGlobal("HTMLElement", Part);
  vi.stubGlobal("HTMLInputElement", Input);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("leaves keys to text fields, and to an open dialog also where the body has the focus", () => {
  expect([takes(new Input("text")), takes(new Input("checkbox")), takes(body)]).toEqual([true, false, false]);
  parts = [new Part(["dialog[open]"])];
  expect(takes(body)).toBe(true);
});

describe("a key that nothing else takes", () => {
  it("is for the only element, while nothing has the focus", () => {
    const only = game();
    parts = [only];
    expect(isFor(only)).toBe(true);
    expect(isFor(only, new Part(["#main"]))).toBe(true);
    expect(isFor(only, new Part(["button"]))).toBe(false);
    expect(isFor(only, body, true)).toBe(false);
  });
  it("is for none of two, and for no element without the mark", () => {
    const one = game();
    parts = [one, game()];
    expect(isFor(one)).toBe(false);
    parts = [one];
    expect(isFor(new Part())).toBe(false);
  });
  it("does nothing while a dialog is open", () => {
    const only = game();
    parts = [only, new Part(["dialog[open]"])];
    expect(isFor(only)).toBe(false);
  });
  it("needs the centre of the element in the window", () => {
    for (const [top, expected] of [
      [-399, false],
      [-201, false],
      [-199, true],
      [599, true],
      [601, false],
      [799, false],
    ] as const) {
      const only = game({ top });
      parts = [only];
      expect([top, isFor(only)]).toEqual([top, expected]);
    }
  });
  it("needs that of its picture where it has one, however long the rest is", () => {
    const long = game({ height: 3000, picture: game() });
    parts = [long];
    expect(isFor(long)).toBe(true);
    long.picture!.top = -300;
    expect(isFor(long)).toBe(false);
  });
});
