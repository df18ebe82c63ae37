// Barriers: every variant that shares memory has those that it needs, and the check finds each one that is taken away.
import { describe, expect, it } from "vitest";
import { racesIn } from "../gpu/kernels/test-races.ts";
import { casesByVariant } from "./by-kernel.ts";
import { kernelCases } from "./cases/index.ts";

const BARRIER = /(workgroup|storage)Barrier\(\);|workgroupUniformLoad\(&(\w+)\)/g;

/** The kernels with barriers, as the files that they are joined from. */
const kernels = [...casesByVariant(kernelCases)]
  .map(([label, [first]]) => ({ label, files: first!.spec.code }))
  .filter(({ files }) => files.join("").search(BARRIER) >= 0);

/** A text without its `n`th barrier. */
const without = (text: string, n: number): string => {
  let count = 0;
  return text.replace(BARRIER, (whole, _space, loaded?: string) => (count++ === n ? (loaded ?? "") : whole));
};

/** Every barrier of every file, with the kernels that contain it. */
const barriers = [...new Set(kernels.flatMap(({ files }) => files))].flatMap((file) =>
  [...file.matchAll(BARRIER)].map(({ 0: barrier, index }, n) => ({
    file,
    n,
    place: `${file.split(".")[0]?.slice(3)}, line ${file.slice(0, index).split("\n").length}: ${barrier}`,
  })),
);

describe("memory that the invocations of a workgroup share", () => {
  it.each(kernels)("has the barriers that $label needs", ({ files }) => {
    expect(racesIn(files.join("\n"))).toEqual([]);
  });

  it.each(barriers)("needs the barrier at $place", ({ file, n }) => {
    const broken = kernels.filter(({ files }) => files.includes(file));
    const found = broken.flatMap(({ files }) =>
      racesIn(files.map((each) => (each === file ? without(each, n) : each)).join("\n")),
    );
    expect(found.length).toBeGreaterThan(0);
  });

  it.each(kernels.filter(({ files }) => files.join("").includes("[1u - half]")))(
    "is not filled in $label while it is multiplied",
    ({ files }) => {
      const source = files.join("\n");
      for (const { index } of source.matchAll(/1u - half/g)) {
        const wrong = `${source.slice(0, index)}half${source.slice(index + "1u - half".length)}`;
        expect(racesIn(wrong).length).toBeGreaterThan(0);
      }
    },
  );
});
