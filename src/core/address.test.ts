import { expect, test } from "vitest";
import { isLoopback, isPlainAddress, withoutCredentials, withoutSecrets } from "./address.ts";

test.each([
  ["http://localhost:8000/v1", true, true],
  ["https://127.0.0.1", true, true],
  ["http://[::1]:8000/v1", true, true],
  ["HTTP://LOCALHOST/", true, true],
  ["https://api.openai.com/v1", true, false],
  ["http://127.0.0.1.evil.example/", true, false],
  ["http://localhost.evil.example", true, false],
  ["http://0.0.0.0:8000", true, false],
  ["http://10.0.0.1/a@b", true, false],
  ["http://localhost@evil.example/", false, false],
  ["http://localhost:1@evil.example/", false, false],
  ["http://localhost\\@evil.example/", false, false],
  ["http:\\\\localhost", false, false],
  ["http://me:secret/word@host/v1", false, false],
  ["https://host/v1?key=secret", false, false],
  ["https://host/v1#secret", false, false],
  ["http:host", false, false],
  ["http:///host", false, false],
  ["file:///etc/passwd", false, false],
  ["localhost:8000", false, false],
  ["http://local\thost/", false, false],
])("%j: plain is %s, of this machine is %s", (address, isPlain, isOwn) => {
  expect([isPlainAddress(address), isLoopback(address)]).toEqual([isPlain, isOwn]);
});

test.each([
  ["https://me:secret@host:8000/v1?key=secret#secret", "https://host:8000/v1"],
  ["https://secret@host/v1", "https://host/v1"],
  ["https:me:secret@host/v1", "https://host/v1"],
  ["me:secret@host/v1", "//host/v1"],
  ["http://host/a@b", "http://host/a@b"],
  ["", ""],
])("%s without credentials is %s", (address, expected) => {
  expect(withoutCredentials(address)).toBe(expected);
  expect(withoutSecrets({ judge: { base_url: address, model: "m" } })).toEqual({
    judge: { base_url: expected, model: "m" },
  });
});

test("what is no configuration stays as it is", () => {
  for (const other of [{}, { judge: null }, { judge: { base_url: 3 } }, { judge: "x" }])
    expect(withoutSecrets(other)).toBe(other);
});
