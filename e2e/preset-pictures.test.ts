// The stored pictures on the cards of presets whose worlds take a while to load: each is a level of its own preset. That the cards show
// them: worlds.test.ts.
// To renew them after a change of a preset or of how a world is drawn: RENEW_PICTURES=1 npx vitest run --project e2e preset-pictures
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { type Preset, presets } from "../src/config/presets.ts";
import type { Frame } from "../src/core/types.ts";
import { envs, loadEnv } from "../src/envs/index.ts";
import { pictureLevel } from "../src/envs/preview.ts";
import { sharedPage, studio } from "./lib/studio.ts";

const open = studio();
/** One page for all pictures: each is computed from its bytes alone. */
const shared = sharedPage(open);
const folder = join(import.meta.dirname, "../public/worlds");
/** Of a picture, in pixels. */
const SIDE = 192;
/** How much a channel of a pixel may differ on average, of 255. Compression changes up to 1.4; the two tasks of PrimitiveSkill differ by 3.9. */
const LOSS = 2;

const ofWorlds = presets.all.filter(({ config }) => envs.get(config.env.name).isWorld);

/** Presets of one environment show different levels. */
async function drawn(preset: Preset): Promise<Frame> {
  const { env } = preset.config;
  const alike = ofWorlds.filter(({ config }) => config.env.name === env.name);
  await loadEnv(env.name);
  return pictureLevel(envs.get(env.name), env.config, 1 + alike.indexOf(preset)).frame;
}

/** A frame in the size of a card's picture, in the page: its pixels would take seconds to get here, which its WebP file does not. */
const scaled = (page: Page, { data, width, height }: Frame) =>
  page.evaluateHandle(
    ([text, width, height, side]) => {
      const bytes = Uint8ClampedArray.from(atob(text), (c) => c.charCodeAt(0));
      const whole = new OffscreenCanvas(width, height);
      whole.getContext("2d")!.putImageData(new ImageData(bytes, width, height), 0, 0);
      const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
      const context = canvas.getContext("2d")!;
      context.imageSmoothingQuality = "high";
      context.drawImage(whole, 0, 0, side, side);
      const file = canvas.toDataURL("image/webp", 0.8).replace(/^.*,/, "");
      return { pixels: context.getImageData(0, 0, side, side).data, file };
    },
    [Buffer.from(data).toString("base64"), width, height, SIDE] as const,
  );

/** The pixels of a picture in a file, in the page. */
const pixelsOf = (page: Page, file: Buffer) =>
  page.evaluateHandle(async (text) => {
    const image = await createImageBitmap(await (await fetch(`data:image/webp;base64,${text}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  }, file.toString("base64"));

it("has a picture for each of these presets and no other", () => {
  if (process.env.RENEW_PICTURES) return;
  expect(readdirSync(folder).sort()).toEqual(ofWorlds.map(({ id }) => `${id}.webp`).sort());
});

it.each(ofWorlds)("shows a level of the preset $id", async (preset) => {
  const { page } = shared;
  const path = join(folder, `${preset.id}.webp`);
  const level = await scaled(page, await drawn(preset));
  if (process.env.RENEW_PICTURES)
    writeFileSync(path, Buffer.from(await level.evaluate(({ file }) => file), "base64"));
  const stored = await pixelsOf(page, readFileSync(path));
  const { length, difference } = await page.evaluate(
    ([{ pixels }, stored]) => ({
      length: stored.length,
      difference: stored.reduce((sum, value, i) => sum + Math.abs(value - pixels[i]!), 0) / stored.length,
    }),
    [level, stored] as const,
  );
  expect(length).toBe(SIDE * SIDE * 4);
  expect(difference).toBeLessThan(LOSS);
});
