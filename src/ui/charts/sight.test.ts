import { expect, it, vi } from "vitest";
import { watchSight } from "./sight.ts";

const element = {} as Element;

/** A page whose observer reports what the test says. */
function fakePage() {
  const observers: { report(...areVisible: boolean[]): void; isOn: boolean }[] = [];
  class Observer {
    isOn = false;
    constructor(private readonly callback: (entries: { isIntersecting: boolean }[]) => void) {
      observers.push(this);
    }
    observe() {
      this.isOn = true;
    }
    disconnect() {
      this.isOn = false;
    }
    report(...areVisible: boolean[]) {
      this.callback(areVisible.map((isIntersecting) => ({ isIntersecting })));
    }
  }
  const IntersectionObserver = Observer as unknown as typeof globalThis.IntersectionObserver;
  return { page: Object.assign(new EventTarget(), { IntersectionObserver }), observers };
}

it("says whether an element is on screen by the newest of several reports", () => {
  const { page, observers } = fakePage();
  const onSight = vi.fn();
  watchSight(element, { onSight, onPrint: () => {} }, page);
  expect(onSight).not.toHaveBeenCalled();
  observers[0]!.report(false, true);
  observers[0]!.report(true, false);
  expect(onSight.mock.calls).toEqual([[true], [false]]);
});

it("says before the page is printed, until it stops", () => {
  const { page, observers } = fakePage();
  const onPrint = vi.fn();
  const stop = watchSight(element, { onSight: () => {}, onPrint }, page);
  page.dispatchEvent(new Event("beforeprint"));
  expect(onPrint).toHaveBeenCalledTimes(1);
  stop();
  page.dispatchEvent(new Event("beforeprint"));
  expect(onPrint).toHaveBeenCalledTimes(1);
  expect(observers[0]!.isOn).toBe(false);
});

it("takes an element to be visible where nothing can be observed", () => {
  const onSight = vi.fn();
  watchSight(element, { onSight, onPrint: () => {} }, new EventTarget())();
  expect(onSight.mock.calls).toEqual([[true]]);
});
