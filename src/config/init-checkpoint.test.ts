import { expect, test } from "vitest";
import { checkpointTitle, chosenFile, fileChoice } from "./init-checkpoint.ts";

test("a chosen file keeps its address and its name", () => {
  const value = fileChoice("blob:http://localhost/1-2", "my run #3.safetensors");
  expect(chosenFile(value)).toEqual({ url: "blob:http://localhost/1-2", name: "my run #3.safetensors" });
  expect(checkpointTitle(value)).toBe("my run #3.safetensors");
});

test("a name is a name", () => {
  expect(chosenFile("frozenlake-nano-warmup")).toBeNull();
  expect(checkpointTitle("frozenlake-nano-warmup")).toBe("frozenlake-nano-warmup");
  expect(chosenFile("blob:x")).toEqual({ url: "blob:x", name: "a file" });
  expect(chosenFile("blob:x#%")).toEqual({ url: "blob:x", name: "%" });
});
