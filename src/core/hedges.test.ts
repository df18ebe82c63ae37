import { expect, it } from "vitest";
import { hasAlternative } from "./hedges.ts";

const isOpen = (text: string) => hasAlternative(text, /lamp [\d ]+\d/.exec(text)!);

it.each(["lamp 1 2 or 3 4", "(lamp 1 2), or 3 4", "lamp 1 2; or maybe none"])("is open: %s", (text) => {
  expect(isOpen(text)).toBe(true);
});

it.each([
  "lamp 1 2",
  "lamp 1 2 or so",
  "lamp 1 2, orange lamp 3 4",
  "a lamp or lamp 1 2",
  "lamp 1 2. Or not.",
])("is not: %s", (text) => {
  expect(isOpen(text)).toBe(false);
});
