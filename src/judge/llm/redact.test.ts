import { describe, expect, test } from "vitest";
import { redactor } from "./redact.ts";

const KEY = 'sk-proj-aB3+/dEf"GhIjKlMnOpQrStUvWxYz0123456789';
const redact = redactor(KEY);

test.each<[string, string, string]>([
  ["whole", `Bad key ${KEY}.`, "Bad key (key)."],
  ["at the beginning and the end", KEY, "(key)"],
  ["twice", `${KEY} and ${KEY}`, "(key) and (key)"],
  ["cut off", `Bad key ${KEY.slice(0, 12)}…`, "Bad key (key)…"],
  ["with its middle masked", `Bad key ${KEY.slice(0, 9)}***${KEY.slice(-8)}.`, "Bad key (key)***(key)."],
  ["in capitals", `Bad key ${KEY.toUpperCase()}.`, "Bad key (key)."],
  ["in an address", `https://a/?key=${encodeURIComponent(KEY)}&b`, "https://a/?key=(key)&b"],
  ["in JSON", JSON.stringify({ key: KEY }), '{"key":"(key)"}'],
  ["in hexadecimal digits", `<${Buffer.from(KEY).toString("hex")}>`, "<(key)>"],
])("a key is taken out: %s", (_, text, expected) => {
  expect(redact(text)).toBe(expected);
});

describe("Base64", () => {
  test.each(["", "u", "us", "user", "user:"])("behind %j", (before) => {
    for (const encoding of ["base64", "base64url"] as const) {
      const shown = redact(`Basic ${Buffer.from(`${before}${KEY}`).toString(encoding)}`);
      // A few characters at the edges depend on what is beside the key.
      expect(shown).toMatch(/^Basic .{0,8}\(key\).{0,3}$/);
    }
  });
});

test("other text is left as it is, letters of any length in lower case included", () => {
  for (const text of ["", "sk-proj", "The model does not exist.", "İ".repeat(20), "<answer>YES</answer>"])
    expect(redact(text)).toBe(text);
  expect(redact(`İİİ ${KEY} İİİ`)).toBe("İİİ (key) İİİ");
});

test("a short key is taken out as a whole, and none takes nothing out", () => {
  expect(redactor("EMPTY")("Bad key EMPTY, not empty")).toBe("Bad key (key), not empty");
  expect(redactor("")("Bad key")).toBe("Bad key");
});
