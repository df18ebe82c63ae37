import { describe, expect, it } from "vitest";
import { failureText } from "./failure.ts";
import { StepLimitError } from "./step-limit.ts";

/** What the function of a module throws that was read from text. */
async function thrownBy(body: string): Promise<unknown> {
  const text = encodeURIComponent(`const helper = () => null.x;\nexport default () => {\n${body}\n};`);
  const { default: call } = await import(/* @vite-ignore */ `data:text/javascript;charset=utf-8,${text}`);
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe("the text of a failure", () => {
  it("has the line that failed, in a module that was read from text", async () => {
    const error = await thrownBy('throw new RangeError("boom");');
    expect(failureText(error)).toBe("failed in line 3: RangeError: boom");
  });

  it("has the innermost line", async () => {
    expect(failureText(await thrownBy("helper();"))).toMatch(/^failed in line 1: TypeError: Cannot read/);
  });

  it("has no line where none is known", () => {
    expect(failureText(new Error("boom"))).toBe("failed: Error: boom");
    expect(failureText(null)).toBe("failed: null");
  });

  it("says of a step limit what it says, without the name of a class", () => {
    expect(failureText(new StepLimitError("it did not end within 5 steps"))).toBe(
      "failed: it did not end within 5 steps",
    );
  });
});
