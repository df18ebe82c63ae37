import { expect, it } from "vitest";
import { getPreset } from "../config/presets.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { PrepareStep } from "../training/events.ts";
import { reportPreparation } from "./preparation.ts";
import { runSize } from "./size.ts";

const size = runSize(getPreset("frozenlake-nano").config);

function reportsOf(checkpoint?: Checkpoint) {
  const reports: (readonly PrepareStep[])[] = [];
  const preparation = reportPreparation(size, checkpoint, (steps) => reports.push(steps));
  return { preparation, reports };
}

it("reports how far every step is", () => {
  const { preparation, reports } = reportsOf();
  preparation.begun();
  preparation.allocated();
  preparation.loaded();
  preparation.compiled(2, 7);
  expect(reports.map((steps) => steps.map(({ done, of }) => `${done}/${of}`))).toEqual([
    ["1/1", "0/1", "0/1", "0/1"],
    ["1/1", "1/1", "0/1", "0/1"],
    ["1/1", "1/1", "0/1", "1/1"],
    ["1/1", "1/1", "2/7", "1/1"],
  ]);
  expect(reports[3]!.map(({ step }) => step)).toEqual(["model", "allocate", "compile", "restore"]);
  expect(reports[3]![2]!.detail).toBe("2 of 7 kernels");
});

it.each([
  [undefined, "new policy"],
  [{ meta: { update: 12 } } as Checkpoint, "update 12"],
])("says what the run starts from", (checkpoint, detail) => {
  const { preparation, reports } = reportsOf(checkpoint);
  preparation.begun();
  expect(reports[0]!.at(-1)).toMatchObject({ step: "restore", detail });
});
