import { expect, test } from "vitest";
import { ConfigError, serializeError } from "./errors.ts";
import { joined, listed, message, plainText, said, setting, value, written } from "./message.ts";

const rate = setting("actor.lr");
const titled = { setting: () => "“Rate”", value: (given: unknown) => `<${given}>` };

test("a message without settings is a text", () => {
  expect(message`${3} of ${"four"}`).toBe("3 of four");
  expect(joined(["a", "b"])).toBe("a b");
  expect(listed(["a", "b", "c"], "or")).toBe("a, b or c");
});

test("settings and values are written in the words of the reader", () => {
  const text = message`${rate} is ${value("actor.lr", 5)}; use ${listed([value("actor.lr", 1), value("actor.lr", 2)], "or")}.`;
  expect(plainText(text)).toBe("actor.lr is 5; use 1 or 2.");
  expect(written(text, titled)).toBe("“Rate” is <5>; use <1> or <2>.");
  expect(
    plainText(
      message`${value("a.b", "x")}, ${value("a.b", "")}, ${value("a.b", Number.NaN)}, ${value("a.b", null)}`,
    ),
  ).toBe('"x", empty, NaN, null');
  expect(written("a literal text", titled)).toBe("a literal text");
});

test("a nested value is text, so that parts in a file can only hold single values and lists", () => {
  expect(message`${value("a.b", { toString: 1 })}`).toBe('{"toString":1}');
  expect(message`${value("a.b", [1, 2])}`).toEqual([{ of: "a.b", value: [1, 2] }]);
});

test("an error keeps the parts of its texts as plain data", () => {
  const error = new ConfigError("invalid_config", message`${rate} is 5.`, "Use 1.");
  expect([error.message, error.hint]).toEqual(["actor.lr is 5.", "Use 1."]);
  const data = structuredClone(serializeError(error));
  expect(data.parts).toEqual({ message: [{ setting: "actor.lr" }, " is 5."], hint: "Use 1." });
  expect(said("plain", "hint")).toEqual({ message: "plain", hint: "hint" });
});
