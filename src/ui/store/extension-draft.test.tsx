import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ExtensionSource } from "../../extension/api.ts";
import { ExtensionDialog } from "../configure/extension-dialog.tsx";
import { Extensions } from "../configure/extensions.tsx";
import { tryHere } from "../testing/fake-trainer.ts";
import {
  forgetEnded,
  keepExtensionDraft,
  restoreExtensionDraft,
  setDraftText,
  useExtensionDraft,
} from "./extension-draft.ts";
import { changeActive, restoreExtensions, useExtensions } from "./extension-store.ts";

const mine: ExtensionSource = {
  name: "mine",
  source: 'export default ({ metric }) => metric({ id: "mine", measure: () => 1 });',
};
const nothing = useExtensionDraft.getInitialState();

const kept = new Map<string, string>();
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
};
let stop = () => {};

/** The page is loaded again: its memory is gone, the storage is not. */
function reload(of: Pick<typeof storage, "getItem"> = { getItem: storage.getItem }): void {
  stop();
  useExtensionDraft.setState(nothing);
  stop = keepExtensionDraft(storage);
  restoreExtensionDraft({ ...storage, ...of });
}

const add = (own: ExtensionSource, tryOne: typeof tryHere) =>
  changeActive({ next: (active) => [...active, own], confirm: async () => undefined }, tryOne);

/** The panel and the dialog. React's server rendering reads the initial state of a store. */
function panel(): string {
  const initial = nothing;
  const before = { ...initial };
  Object.assign(initial, useExtensionDraft.getState());
  try {
    return renderToStaticMarkup(
      <>
        <Extensions />
        <ExtensionDialog />
      </>,
    );
  } finally {
    Object.assign(initial, before);
  }
}

const clear = async () => {
  stop();
  useExtensionDraft.setState(nothing);
  useExtensions.setState({ active: [], idle: [], registered: [] });
  await changeActive({ next: () => [], confirm: async () => undefined }, tryHere);
};
beforeEach(async () => {
  await clear();
  kept.clear();
  stop = keepExtensionDraft(storage);
});
afterEach(clear);

/** What storage holds while `mine` is tried: all that is left when the trial ends the page. */
async function atTrial(): Promise<string> {
  let held = "";
  setDraftText(mine);
  await add(mine, async (own) => {
    held = [...kept.values()].join();
    return tryHere(own);
  });
  return held;
}

it("stores the text before it is tried, and after a crash opens it with the reason", async () => {
  const held = await atTrial();
  expect(JSON.parse(held)).toEqual({ text: mine, trying: mine });
  reload({ getItem: () => held });
  expect(useExtensionDraft.getState()).toMatchObject({
    text: mine,
    trying: null,
    ended: mine,
    editing: true,
    problem: { source: mine.source },
  });
  expect(panel()).toMatch(/^<details open=""/);
  expect(panel()).toContain(`value="mine"`);
  expect(panel()).toContain("mine: the page crashed while it tried this code");
  // What the page said once, it does not say after the next reload; the text stays.
  reload();
  expect(useExtensionDraft.getState()).toMatchObject({
    text: mine,
    trying: null,
    ended: null,
    editing: false,
  });
  expect(panel()).not.toContain("the page crashed");
  expect(panel()).not.toMatch(/^<details open/);
});

it("does not try again by itself what ended the page, and keeps it", async () => {
  const held = await atTrial();
  // As another version of the studio left it, which would be tried again.
  useExtensions.setState({ active: [{ ...mine, triedBy: "earlier" }], registered: [] });
  const tryOne = vi.fn(tryHere);
  reload({ getItem: () => held });
  await restoreExtensions(tryOne);
  expect(tryOne).not.toHaveBeenCalled();
  expect(useExtensions.getState()).toMatchObject({
    active: [],
    idle: [{ ...mine, problem: expect.stringContaining("the page crashed") }],
  });
  // Once the user has seen it and adds it, it is tried.
  forgetEnded();
  await add(mine, tryOne);
  expect(tryOne).toHaveBeenCalledOnce();
});

it("tries others again after an update, and says nothing of a trial that ended well", async () => {
  await atTrial();
  expect(useExtensionDraft.getState().trying).toBeNull();
  useExtensions.setState({ active: [{ ...mine, triedBy: "earlier" }], registered: [] });
  const tryOne = vi.fn(tryHere);
  reload();
  await restoreExtensions(tryOne);
  expect(useExtensionDraft.getState().ended).toBeNull();
  expect(tryOne).toHaveBeenCalledOnce();
});

it("does not take a page that was left for one that crashed", async () => {
  const page = new EventTarget();
  stop();
  stop = keepExtensionDraft(storage, page);
  let held = "";
  await add(mine, async (own) => {
    page.dispatchEvent(new Event("pagehide"));
    held = [...kept.values()].join();
    return tryHere(own);
  });
  expect(JSON.parse(held)).toMatchObject({ trying: null });
});

it("keeps a text that was begun through a reload", () => {
  setDraftText({ name: "begun", source: "export" });
  reload();
  expect(useExtensionDraft.getState().text).toEqual({ name: "begun", source: "export" });
});

it("does without a storage that is blocked, and without one that holds something else", () => {
  const blocked = () => {
    throw new DOMException("blocked", "SecurityError");
  };
  stop();
  stop = keepExtensionDraft({ getItem: blocked, setItem: blocked, removeItem: blocked });
  setDraftText(mine);
  expect(useExtensionDraft.getState().text).toEqual(mine);
  for (const held of ["{", "3", '{"text":{"name":1}}']) reload({ getItem: () => held });
  expect(useExtensionDraft.getState()).toEqual(nothing);
});
