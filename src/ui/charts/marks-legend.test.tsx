import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { MARK_LOOKS } from "./marks.tsx";
import { MarksLegend } from "./marks-legend.tsx";

const html = (...kinds: (keyof typeof MARK_LOOKS)[]) =>
  renderToStaticMarkup(<MarksLegend marks={kinds.map((kind) => ({ kind }))} />);
const words = (of: string) =>
  of
    .replace(/<[^>]+>/g, " ")
    .trim()
    .split(/\s{2,}/);

it("explains each kind of mark that a run has, once", () => {
  expect(words(html("resumed", "checkpoint", "checkpoint"))).toEqual(["saved", "resumed"]);
  expect(html()).toBe("");
});

it("draws a mark as the charts do", () => {
  const { color, dash } = MARK_LOOKS.resumed;
  expect(html("resumed")).toContain(`stroke="${color}" stroke-dasharray="${dash}"`);
  expect(html("resumed")).toContain("A line across each chart");
  expect(html("checkpoint")).toContain("A notch below a chart");
});

it("has a word for every kind", () => {
  const kinds = Object.keys(MARK_LOOKS) as (keyof typeof MARK_LOOKS)[];
  expect(words(html(...kinds))).toHaveLength(kinds.length);
});
