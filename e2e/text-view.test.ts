// A policy that is shown no picture: the preview of a level says what it reads.
import { expect, it } from "vitest";
import { axe } from "./lib/axe.ts";
import { studio } from "./lib/studio.ts";

const open = studio();

it("says that the picture is for people where a policy reads text, and shows the text, 1440 and 390 px wide", async () => {
  const page = await (await open.visitor()).newPage();
  await page.goto(`${open.server.url}#/train`);
  await page.getByRole("button", { name: /^PrimitiveSkill nano|A level of PrimitiveSkill.*nano/ }).click();
  const level = page.getByRole("region", { name: "Level preview" });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    if (width < 1024) await page.getByRole("tab", { name: "Episodes" }).click();
    await level
      .getByText("The picture is for people. The policy reads text: the place of each thing in millimetres")
      .waitFor();
    await level
      .getByRole("region", { name: /^What the policy reads/ })
      .getByText(/^turn 1 /)
      .waitFor();
    await expect.poll(() => level.innerText()).toContain("Move both cubes to x = 0");
    expect(await level.innerText()).not.toContain("The model receives");
    await expect.poll(() => level.getByTestId("environment").locator("canvas").count()).toBe(1);
    await expect.poll(() => axe(page)).toEqual([]);
    const folder = process.env.SCREENSHOTS;
    if (folder) await page.screenshot({ path: `${folder}/text-${width}.png`, fullPage: true });
  }
});
