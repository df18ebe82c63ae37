import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as errors from "./errors.ts";

const classes = Object.entries(errors).filter(
  ([name]) => /^(?!Studio).*Error$/.test(name) && name !== "serializeError",
);

test.each(classes)("%s says its own name, whatever a build calls the class", (name, value) => {
  const Type = value as typeof errors.GpuError;
  const Shortened = class extends Type {};
  const error = new Shortened("device_lost", "gone", "Wait.");
  expect(errors.serializeError(error)).toEqual({ name, code: "device_lost", message: "gone", hint: "Wait." });
  expect(`${error}`).toBe(`${name}: gone`);
});

test("a name is never taken from the class", () => {
  expect(readFileSync("src/core/errors.ts", "utf8")).not.toContain("new.target");
});
