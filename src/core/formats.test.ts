import { expect, test } from "vitest";
import { FORMAT_IDS, formats, statingParts } from "./formats.ts";

test("formats that state where things are say which parts do, each once", () => {
  expect(Object.fromEntries(FORMAT_IDS.map((id) => [id, statingParts(id)]))).toEqual({
    no_think: [],
    free_think: [],
    grounding: ["observation"],
    worldmodeling: ["prediction"],
    grounding_worldmodeling: ["observation", "prediction"],
    wm: ["observation", "prediction"],
    free_wm: ["observation", "prediction"],
    eval_mode: [],
    boxed: [],
    answer: [],
    free_think_2026: [],
    wm_2026: ["observation", "prediction"],
    wm_think: ["observation", "prediction"],
  });
  expect(formats.ids).toEqual(FORMAT_IDS);
});
