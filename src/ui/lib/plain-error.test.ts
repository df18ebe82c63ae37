import { expect, test } from "vitest";
import { detailsOf, plainMessage } from "./plain-error.ts";

test("the graphics layer's own words are in the details only", () => {
  const error = {
    name: "GpuError",
    code: "device_lost",
    message: "A valid external Instance reference no longer exists.",
  };
  expect(plainMessage(error)).toBe("The graphics device was lost.");
  expect(detailsOf(error)).toContain("external Instance reference");
});

test("a message of the studio's own is shown as it is, and an unexpected one is not", () => {
  const message = "The GPU has no room for 900 MiB.";
  expect(plainMessage({ name: "GpuError", code: "out_of_memory", message })).toBe(message);
  const internal = { name: "InternalError", code: "internal", message: "x is undefined" };
  expect(plainMessage(internal)).not.toContain("undefined");
});
