import { afterEach, expect, test, vi } from "vitest";
import { openFiles, openHouses, type Reader } from "./open-files.ts";
import type { FromReader } from "./reader-messages.ts";

afterEach(() => vi.useRealTimers());

/** A reader that is ready at once and answers by `answer`. */
function readerThat(answer: (reader: Reader) => void) {
  const terminate = vi.fn();
  const reader: Reader = { terminate, onmessage: null, onerror: null, postMessage: () => answer(reader) };
  const start = () => {
    queueMicrotask(() => say(reader, { kind: "ready" }));
    return reader;
  };
  return { start, terminate };
}
const say = (reader: Reader, data: FromReader) =>
  reader.onmessage?.call(reader as Worker, new MessageEvent("message", { data }));

const file = new File(["a: 1"], "run.yaml");

test("a file that keeps its reader busy is refused by name after five seconds, and its reader ends", async () => {
  vi.useFakeTimers();
  const { start, terminate } = readerThat(() => undefined);
  const opening = expect(openFiles([file], [], start)).rejects.toMatchObject({
    name: "ConfigError",
    message: "run.yaml could not be read within 5 s.",
    hint: expect.stringContaining("choose another one"),
  });
  await vi.advanceTimersByTimeAsync(5000);
  await opening;
  expect(terminate).toHaveBeenCalledOnce();
});

test("a file of more than a megabyte is refused before it is read", async () => {
  const large = new File([new Uint8Array(1_200_000)], "large.yaml");
  await expect(openFiles([large], [])).rejects.toThrow("large.yaml has 1.2 MB");
});

test("houses are read with limits of their own", async () => {
  const read = { source: "{}\n", houses: 1, rooms: 2, notes: [] };
  const { start, terminate } = readerThat((reader) => say(reader, { kind: "housesRead", read }));
  const large = new File([new Uint8Array(1_200_000)], "houses.jsonl");
  expect(await openHouses([large], start)).toEqual(read);
  expect(terminate).toHaveBeenCalledOnce();
  const tooLarge = Array.from({ length: 60 }, () => large);
  await expect(openHouses(tooLarge, start)).rejects.toMatchObject({
    message: expect.stringMatching(/has 72\.0 MB; files of houses/),
    hint: expect.stringContaining("head -n 100"),
  });
});

test("what the reader refuses arrives with its name and remedy", async () => {
  const error = {
    name: "ConfigError",
    code: "invalid_config",
    message: "actor.lr: too large",
    hint: "Use 1.",
  };
  const { start, terminate } = readerThat((reader) => say(reader, { kind: "refused", error }));
  await expect(openFiles([file], [], start)).rejects.toMatchObject(error);
  expect(terminate).toHaveBeenCalledOnce();
});
