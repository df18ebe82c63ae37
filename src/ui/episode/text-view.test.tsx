import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Turn } from "../../core/types.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { pictureLevel } from "../../envs/preview.ts";
import { EnvPicture } from "./env-picture.tsx";
import { isTextOnly, readsOf, textViewOf } from "./text-view.ts";

const modes = (config: object) => ("shape" in config ? Object.keys(config.shape as object) : []);
const withText = envs.all.filter(({ config }) => modes(config).includes("render_mode"));

it("knows which options give the policy text", () => {
  expect(isTextOnly({ render_mode: "text" })).toBe(true);
  expect(isTextOnly({ render_mode: "vision" })).toBe(false);
  expect(isTextOnly({})).toBe(false);
});

it.each(withText.map(({ id }) => id))(
  "says what the policy reads of %s in place of a picture",
  async (id) => {
    await loadEnv(id);
    const { frame, truth } = pictureLevel(envs.get(id), { render_mode: "text" }, 3);
    const picture = { envId: id, frame, further: [], truth, title: "Level 3" } as const;
    const shown = (view: "agent" | "debug") =>
      renderToStaticMarkup(<EnvPicture {...picture} seen={[]} reads={textViewOf(truth)} view={view} />);
    expect(shown("agent")).toMatch(
      /The picture is for people\. The policy reads [a-z ]+[,:] [^<]+\.<\/span>/,
    );
    expect(shown("agent")).not.toMatch(/\d × \d|undefined/);
    expect(shown("debug")).not.toContain("is for people");
  },
);

it("explains “clear” where the text has it", async () => {
  for (const id of ["navigation", "spatial-gym"]) {
    await loadEnv(id);
    const { truth, text } = pictureLevel(envs.get(id), { render_mode: "text" }, 3, (game) => game.text());
    expect(textViewOf(truth).includes("“clear” says how many steps are free ahead")).toBe(
      text.includes("clear "),
    );
  }
});

it("shows the text that the policy read with the picture of a turn, in its own view", () => {
  const turn = {
    before: { frame: "floor", things: [], facts: {} },
    observation: { text: "sees sofa 4 ahead", images: [] },
  } as unknown as Turn;
  const frame = { width: 1, height: 1, data: new Uint8ClampedArray(4) };
  const picture = { envId: "navigation", frame, further: [], seen: [], truth: turn.before, title: "Turn 1" };
  const shown = (options: object, view: "agent" | "debug") =>
    renderToStaticMarkup(<EnvPicture {...picture} {...readsOf(turn, options)} view={view} />);
  expect(shown({ render_mode: "text" }, "agent")).toMatch(
    /is for people.*What the policy reads<.*<pre[^>]*>sees sofa 4 ahead<\/pre>/s,
  );
  expect(shown({ render_mode: "text" }, "debug")).not.toContain("<pre");
  expect(shown({ render_mode: "vision" }, "agent")).not.toContain("<pre");
});

it("covers every environment that has a text mode", () => {
  expect(withText.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["frozenlake", "sokoban", "navigation", "primitive-skill", "svg", "spatial-gym"]),
  );
});
