import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { vagenMarkdown } from "./markdown.ts";

const docs = join(import.meta.dirname, "../../../docs/vagen-configs.md");

// To renew the page after a change of the table: UPDATE_DOCS=1 npx vitest run --project unit vagen/markdown
test("docs/vagen-configs.md is what the table says", () => {
  const written = vagenMarkdown();
  if (process.env.UPDATE_DOCS) writeFileSync(docs, written);
  expect(readFileSync(docs, "utf8")).toBe(written);
});
