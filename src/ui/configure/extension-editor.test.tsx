import { createElement } from "react";
import { expect, it } from "vitest";
import { snapshot, viewOf } from "../testing/snapshot.tsx";
import { editorFrom } from "./extension-editor.tsx";

it("is a plain field with the text where the editor's code cannot be loaded", async () => {
  const failed = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
  const { default: Field } = await editorFrom(failed);
  const props = {
    labelId: "code",
    value: "export default 1;",
    readOnly: true,
    wrong: [],
    hint: "",
    onChange() {},
  };
  const html = snapshot(createElement(Field, props), viewOf([]));
  expect(html).toMatch(/^<textarea[^>]*aria-labelledby="code"[^>]*>export default 1;<\/textarea>$/);
  expect(html).toContain("readOnly");
});
