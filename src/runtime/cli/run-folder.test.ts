import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import { RunFolder } from "./run-folder.ts";

test("a run that could not begin takes its folder away, and never one that was there", () => {
  const parent = mkdtempSync(join(tmpdir(), "folder-"));
  const [fresh, old] = [join(parent, "fresh"), join(parent, "old")];
  mkdirSync(old);
  writeFileSync(join(old, "notes.txt"), "mine");
  for (const path of [fresh, old]) {
    const folder = new RunFolder(path);
    folder.writeConfig(checkedRunConfig({}));
    folder.discardIfNew();
  }
  expect(existsSync(fresh)).toBe(false);
  expect(existsSync(join(old, "notes.txt"))).toBe(true);
});
