import { expect, it } from "vitest";
import { hasAlternative } from "./hedges.ts";

const isOpen = (text: string) => hasAlternative(text, /lamp [\d ]+\d/.exec(text)!);

it.each([
  "lamp 1 2 or 3 4",
  "(lamp 1 2), or 3 4",
  "lamp 1 2; or maybe none",
  "lamp 1 2 (or 3 4)",
  "lamp 1 2 [or 3 4]",
  "lamp 1 2 - or 3 4",
  "lamp 1 2 – or 3 4",
  "lamp 1 2 — or 3 4",
  "lamp 1 2 /or 3 4",
  "lamp 1 2 and/or 3 4",
  "lamp 1 2. or 3 4",
  "(lamp 1 2). (or 3 4)",
  "lamp 1 2 … or 3 4",
  "lamp 1 2 / 3 4",
  "(lamp 1 2)/(3 4)",
  "lamp 1 2 / -3 4",
])("is open: %s", (text) => {
  expect(isOpen(text)).toBe(true);
});

it.each([
  "lamp 1 2",
  "lamp 1 2 or so",
  "lamp 1 2, orange lamp 3 4",
  "a lamp or lamp 1 2",
  "lamp 1 2. Or not.",
  "lamp 1 2. or not.",
  "lamp 1 2 (or so)",
  "lamp 1 2 / sofa 3 4",
  "lamp 1 2. orange lamp 3 4",
])("is not: %s", (text) => {
  expect(isOpen(text)).toBe(false);
});

it("reads signs in a moment, however many", () => {
  expect(isOpen(`lamp 1 2 ${"( / - . ".repeat(10_000)}`)).toBe(false);
  expect(isOpen(`lamp 1 2 ${". ".repeat(20_000)}`)).toBe(false);
});
