// A policy that is shown no picture: the preview of a level says what it reads.
import { expect, it } from "vitest";
import { axe } from "./lib/axe.ts";
import { studio } from "./lib/studio.ts";

const open = studio();

it.each([1440, 390])("says that a policy of text receives no picture, %i px wide", async (width) => {
  const page = await (await open.visitor({ viewport: { width, height: 900 } })).newPage();
  await page.goto(`${open.server.url}#/train`);
  await page.getByRole("button", { name: /^PrimitiveSkill nano|A level of PrimitiveSkill.*nano/ }).click();
  if (width < 1024) await page.getByRole("tab", { name: "Episodes" }).click();
  const level = page.getByRole("region", { name: "Level preview" });
  await level
    .getByText("The policy receives no picture. It reads text: the place of each thing in millimetres")
    .waitFor();
  const text = await level.innerText();
  expect(text).not.toContain("The model receives");
  expect(text).toContain("Move both cubes to x = 0");
  expect(await level.getByTestId("environment").locator("canvas").count()).toBe(1);
  await expect.poll(() => axe(page)).toEqual([]);
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/text-${width}.png`, fullPage: true });
});
