// The list of cases is complete; cases.gpu.test.ts tests that each of them can fail.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kernelSource } from "../gpu/kernel.ts";
import { expectSpecAgrees, workgroupBytes } from "../gpu/kernels/test-specs.ts";
import { casesByVariant } from "./by-kernel.ts";
import { kernelCases } from "./cases/index.ts";
import { noise, worstElement } from "./numbers.ts";
import { variantOf } from "./report.ts";

const shaders = join(import.meta.dirname, "../../shaders");
const byVariant = casesByVariant(kernelCases);

/** Labels of the variants that a shader file gives. */
function variantsIn(file: string): string[] {
  const name = file.replace(".wgsl", "");
  const isReduced = /fn process_(rows?|column)\(|lib\/decode_workgroup/.test(
    readFileSync(join(shaders, file), "utf8"),
  );
  return isReduced ? [name, `${name}_workgroup`] : [name];
}

describe("the cases", () => {
  it("run every variant of every shader", () => {
    const files = readdirSync(shaders).filter((file) => file.endsWith(".wgsl"));
    expect(files.length).toBeGreaterThan(60);
    expect([...byVariant.keys()].sort()).toEqual(files.flatMap(variantsIn).sort());
  });

  it.each([...byVariant])("of %s bind and set what the shader declares", (_, cases) => {
    for (const { spec, constants } of cases) {
      expectSpecAgrees(spec);
      kernelSource(spec, constants);
      // WebGPU's default limit.
      expect(Object.keys(spec.bindings).length).toBeLessThanOrEqual(8);
    }
  });

  it("fit WebGPU's default of 16 KiB of workgroup memory, with heads of 128 columns too", () => {
    const sizes = [...byVariant.values()].map(([first]) => {
      const { spec, constants } = first!;
      const largest = "HEAD_VEC4" in spec.constants ? { ...constants, HEAD_VEC4: 32 } : constants;
      return [spec.label, workgroupBytes(kernelSource(spec, largest))] as const;
    });
    expect(Object.fromEntries(sizes)).toMatchObject({
      linear_forward_staged: 9216,
      linear_forward_large: 12_544,
      attention_forward_staged: 16_384,
      gelu_forward: 0,
    });
    expect(sizes.filter(([, bytes]) => !(bytes <= 16_384))).toEqual([]);
  });

  it("have barriers in the variants for real GPUs only", () => {
    for (const [label, [first]] of byVariant) {
      // One dispatch for a whole reply saves more than its barriers cost, on software adapters too.
      const isHardware = label === "decode_reply" || variantOf(label, [...byVariant.keys()]) === "hardware";
      expect(/Barrier\(|workgroupUniformLoad/.test(first!.spec.code.join("\n")), label).toBe(isHardware);
    }
  });
});

describe("the comparison", () => {
  const tolerance = { rtol: 0.1, atol: 0.5 };

  it("measures the worst element in units of its tolerance", () => {
    const worst = worstElement([1, 12, 3.2], [1, 10, 2], tolerance);
    expect(worst).toMatchObject({ index: 2, error: expect.closeTo(1.2), excess: expect.closeTo(1.2 / 0.7) });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined])("fails for %s", (value) => {
    expect(worstElement([value as number], [1], tolerance).excess).toBe(Number.POSITIVE_INFINITY);
  });

  it("accepts equal numbers without any tolerance, and zeros of either sign", () => {
    expect(worstElement([1, -0, 2], [1, 0, 2], { rtol: 0, atol: 0 }).excess).toBe(0);
    expect(worstElement([1.0000001], [1], { rtol: 0, atol: 0 }).excess).toBe(Number.POSITIVE_INFINITY);
  });

  it("is fed with the same numbers every time", () => {
    expect(noise(5, 3)).toEqual(noise(5, 3));
  });
});
