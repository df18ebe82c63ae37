import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { Legend } from "./legend.tsx";

const { tokens } = fakeTrajectory({ id: "a", seed: 11, skill: 0.9 });
const written = { ...tokens, responseMask: new Uint8Array(100).fill(1) };
const read = (entropy: Float32Array) =>
  renderToStaticMarkup(
    <Legend tokens={{ ...written, entropy }} map="entropy" source="train" whitening="" />,
  ).replace(/<[^>]+>/g, "");

it("says that a scale ends below some of the numbers", () => {
  const even = new Float32Array(100).fill(0.5);
  expect(read(even)).toMatch(/^00\.5 nats/);
  expect(read(even)).not.toContain("The scale covers");
  const one = read(even.with(99, 1.16));
  expect(one).toMatch(/^0≥ 0\.5 nats/);
  expect(one).toContain("The scale covers 98 % of the tokens. Those beyond it have the colour of its end.");
});
