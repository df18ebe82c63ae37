import { createElement } from "react";
import { expect, it } from "vitest";
import { snapshot, viewOf } from "../testing/snapshot.tsx";
import { editorFrom, nameOfExample } from "./extension-editor.tsx";

it("names an example after its file, unless the user has chosen a name or that name is taken", () => {
  expect(nameOfExample("world", "extension 1", [])).toBe("world");
  expect(nameOfExample("world", "environment", [])).toBe("world");
  expect(nameOfExample("world", "", ["mine"])).toBe("world");
  expect(nameOfExample("world", "my world", [])).toBe("my world");
  expect(nameOfExample("world", "extension 2", ["world"])).toBe("extension 1");
  expect(nameOfExample("environment", "world", ["environment"])).toBe("extension 1");
});

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
