import { Suspense } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { prerender } from "react-dom/static";
import { expect, it, vi } from "vitest";

/** The module with no rooms in it: that of the page would load all of theirs. */
const own = "./room.tsx?own";
const { loadRoomsWhenIdle, room } = (await import(/* @vite-ignore */ own)) as typeof import("./room.tsx");

const there = async () => ({ default: () => "there" });
const fails = async (): Promise<never> => {
  throw new Error("no network");
};

/** The page of a visitor has become idle. */
async function becomeIdle(visitor: { saveData: boolean }): Promise<void> {
  let isDone: Promise<void> | undefined;
  vi.stubGlobal("requestIdleCallback", (work: () => Promise<void>) => {
    isDone = work();
  });
  vi.stubGlobal("navigator", { connection: visitor });
  loadRoomsWhenIdle();
  vi.unstubAllGlobals();
  await isDone;
}

it("shows a room at once whose code was loaded before it is opened, and loads none before for a visitor who saves data", async () => {
  const Room = room(there);
  const show = () => renderToStaticMarkup(<Suspense fallback="loading">{<Room />}</Suspense>);
  await becomeIdle({ saveData: true });
  expect(show()).toContain("loading");
  await becomeIdle({ saveData: false });
  expect(show()).toBe("there");
});

it("shows what takes the place of a room whose code does not arrive", async () => {
  const Room = room(fails, () => "not loaded");
  const { prelude } = await prerender(
    <Suspense fallback="loading">
      <Room />
    </Suspense>,
  );
  expect(await new Response(prelude).text()).toContain("not loaded");
});
