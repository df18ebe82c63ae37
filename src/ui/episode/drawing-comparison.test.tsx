// A comparison of drawings, rendered to text with everything that it loads.
import type { ReactNode } from "react";
import { prerender } from "react-dom/static";
import { beforeAll, expect, it } from "vitest";
import { envs, loadEnv } from "../../envs/index.ts";
import DrawingComparison from "./drawing-comparison.tsx";
import { WithModels } from "./with-models.ts";

beforeAll(() => loadEnv("svg"));

const CIRCLE = '<svg viewBox="0 0 64 64"><circle cx="32" cy="32" r="20" fill="red"/></svg>';

/** The comparison of a level's drawing, within `around`. @param draws the agent's drawing of an icon's code. @param options of the environment. */
async function textWith(
  around: (comparison: ReactNode) => ReactNode,
  draws: (icon: string) => string = () => CIRCLE,
  options: object = {},
): Promise<string> {
  const spec = envs.get("svg");
  const game = spec.create(spec.config.parse(options));
  game.reset(1);
  game.step(draws(String(game.groundTruth().facts?.icon)));
  const truth = game.groundTruth();
  const comparison = <DrawingComparison envId={spec.id} drawings={spec.drawings!} truth={truth} />;
  const { prelude } = await prerender(around(comparison));
  return (await new Response(prelude).text()).replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}

it("shows the measures of the environment, and offers to compare by the user's models", async () => {
  const text = await textWith((comparison) => comparison);
  expect(text).toMatch(/Similarity 0\.\d\d · MS-SSIM 0\.\d\d · edges 0\.\d\d · colour 0\.\d\d/);
  expect(text).toContain("Compare with your own model");
});

it("shows structure where it is paid", async () => {
  const withWeight = (structural_weight: number) =>
    textWith(
      (comparison) => comparison,
      () => CIRCLE,
      { structural_weight },
    );
  expect(await withWeight(5)).toMatch(/colour 0\.\d\d · structure 0\.\d\d/);
  expect(await withWeight(0)).not.toContain("structure");
});

it("offers no models where the page starts no workers", async () => {
  const text = await textWith((comparison) => <WithModels value={false}>{comparison}</WithModels>);
  expect(text).toMatch(/Similarity 0\.\d\d/);
  expect(text).not.toContain("model");
});

it("says that an exact drawing differs nowhere, instead of showing an empty picture", async () => {
  expect(await textWith((comparison) => comparison)).not.toContain("none");
  expect(
    await textWith(
      (comparison) => comparison,
      (icon) => icon,
    ),
  ).toMatch(/Target Drawing none Difference Similarity 1\.00/);
});
