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

test("an error keeps where code that a user added failed, and nothing of the studio's own stack", () => {
  const cause = Object.assign(new TypeError("x is undefined"), {
    stack: [
      "TypeError: x is undefined",
      "    at new Game (blob:http://localhost:5173/8d2f:3:9)",
      "    at Object.step [as move] (blob:http://localhost:5173/8d2f:12:7)",
      "    at blob:http://localhost:5173/8d2f:30:1",
      "where@data:text/javascript;charset=utf-8,export%20default:7:2",
      "    at attempt (http://localhost:5173/assets/call-x1.js:1:200)",
    ].join("\n"),
  });
  const error = new errors.EnvError("own_failed", "step failed", "Correct it.", { cause });
  expect(errors.serializeError(error).where).toBe(
    "Game, line 3\nObject.step, line 12\nthe module, line 30\nwhere, line 7",
  );
  expect(
    errors.serializeError(new errors.EnvError("own_failed", "m", "", { cause: "text" })),
  ).not.toHaveProperty("where");
});
