// The editor of a text, which shows only the lines in view: all of it is read and replaced as by copying and pasting.
import type { Locator, Page } from "playwright-core";

const editorOf = (page: Page): Locator => page.getByRole("textbox", { name: "Code", exact: true });

async function selected(page: Page): Promise<Locator> {
  const code = editorOf(page);
  await code.focus();
  await page.keyboard.press("ControlOrMeta+a");
  return code;
}

export async function readCode(page: Page): Promise<string> {
  const code = await selected(page);
  return code.evaluate((element) => {
    const clipboardData = new DataTransfer();
    element.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData("text/plain");
  });
}

export async function writeCode(page: Page, source: string): Promise<void> {
  const code = await selected(page);
  await code.evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, source);
}
