import { expect, test } from "vitest";
import { storageNotice } from "./storage-notice.ts";

const noticeOf = (estimate: StorageEstimate) => storageNotice(async () => estimate);

test("little room is a warning with a remedy", async () => {
  expect(await noticeOf({ quota: 1e9, usage: 860e6 })).toMatchObject({
    code: "storage_low",
    message: expect.stringContaining("Only 140 MB of storage are left"),
    hint: expect.stringContaining("Discard stored runs"),
  });
  expect(await noticeOf({ quota: 1e9, usage: 1.1e9 })).toMatchObject({
    message: expect.stringContaining("0 MB"),
  });
  expect(await noticeOf({ quota: 1e9, usage: 1e6 })).toBeNull();
  expect(await noticeOf({})).toBeNull();
});

test("a browser without an estimate is not a reason to warn", async () => {
  expect(await storageNotice(() => Promise.reject(new Error("no")))).toBeNull();
});

test("a browser without files is", async () => {
  expect(await storageNotice()).toMatchObject({ code: "storage_volatile" });
});
