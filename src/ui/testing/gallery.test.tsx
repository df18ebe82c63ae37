import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { afterAll, expect, it, vi } from "vitest";
import { alarms } from "../../rl/alarms/index.ts";
import { RUN_FACES } from "../store/run-state.ts";
import { runStore } from "../store/run-store.ts";
import Gallery from "./gallery.tsx";
import { renderPresentState } from "./present-state.ts";

// Charts ask for frames as soon as a run changes.
vi.hoisted(() => {
  vi.stubGlobal("requestAnimationFrame", () => 0);
});
afterAll(() => void vi.unstubAllGlobals());
renderPresentState(runStore);
const html = renderToStaticMarkup(
  <MemoryRouter>
    <Gallery />
  </MemoryRouter>,
);
const scene = (name: string) => html.split(`data-testid="scene-${name}"`)[1]?.split("<figure")[0] ?? "";

it("shows every state of a run by its word", () => {
  for (const [state, { word }] of Object.entries(RUN_FACES)) {
    if (state === "idle") expect(scene(state)).toContain("Train an agent");
    else expect(scene(state), state).toContain(`>${word}<`);
  }
});

it("shows every alarm and every kind of notice", () => {
  for (const { title } of alarms.all) expect(scene("alarms")).toContain(title);
  const names = [...html.matchAll(/data-testid="scene-([^"]+)"/g)].map(([, name]) => name!);
  const lengths = names.map((name) => [name, scene(name).replace(/<[^>]+>/g, "").length] as const);
  expect(lengths.filter(([, length]) => length < 60)).toEqual([]);
});

it("shows charts with numbers, and a trace with tokens", () => {
  expect(html.match(/data-testid="chart-/g)!.length).toBeGreaterThan(20);
  expect(html).toMatch(/Success rate: last \d+ %/);
  // A title that is cut off does not say what the chart shows.
  expect(html).toMatch(/<h3 class="[^"]*">Valid format and actions</);
  expect(html).not.toMatch(/<h3 class="[^"]*truncate/);
  expect(html).toContain('data-testid="tok-');
});
