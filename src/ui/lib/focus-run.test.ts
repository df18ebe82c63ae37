import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { focusRun } from "./focus-run.ts";

/** A page with the focus on nothing, with the run's strip and the button in it. */
class FakePage extends EventTarget {
  readonly body = this.element();
  readonly strip = this.element();
  readonly button = this.element();
  activeElement: unknown = this.body;
  isEnabled = false;

  querySelector(selector: string) {
    if (selector === "[data-run-strip]") return this.strip;
    return selector.includes("data-goes-on") && this.isEnabled ? this.button : null;
  }

  private element() {
    const element = {
      focus: () => {
        this.activeElement = element;
      },
    };
    return element;
  }
}

let page: FakePage;
beforeEach(() => {
  page = new FakePage();
  vi.stubGlobal("document", page);
  vi.stubGlobal("requestAnimationFrame", (work: () => void) => work());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("focuses the strip while no button can be pressed, and the button afterwards", () => {
  const focusAgain = focusRun();
  expect(page.activeElement).toBe(page.strip);
  page.isEnabled = true;
  focusAgain();
  expect(page.activeElement).toBe(page.button);
});

it("leaves the focus to another element that has it", () => {
  const elsewhere = {};
  page.activeElement = elsewhere;
  focusRun()();
  expect(page.activeElement).toBe(elsewhere);
});

it("leaves the focus where it is once the page was used", () => {
  for (const input of ["pointerdown", "keydown"]) {
    const focusAgain = focusRun();
    page.dispatchEvent(new Event(input));
    page.activeElement = page.body;
    page.isEnabled = true;
    focusAgain();
    expect(page.activeElement).toBe(page.body);
    page.isEnabled = false;
  }
});

it("ignores the key that is still held down since it pressed the button before", () => {
  const focusAgain = focusRun();
  page.dispatchEvent(Object.assign(new Event("keydown"), { repeat: true }));
  page.isEnabled = true;
  focusAgain();
  expect(page.activeElement).toBe(page.button);
});
