import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { MARK_LOOKS } from "./marks.tsx";
import { MarksLegend } from "./marks-legend.tsx";

type Kind = keyof typeof MARK_LOOKS;
const legend = (marks: Parameters<typeof MarksLegend>[0]["marks"]) =>
  renderToStaticMarkup(<MarksLegend marks={marks} />);
const html = (...kinds: Kind[]) =>
  legend(kinds.map((kind) => (kind === "alarm" ? { kind, severity: "warning" } : { kind })));
const words = (of: string) =>
  of
    .replace(/<[^>]+>/g, " ")
    .trim()
    .split(/\s{2,}/);

it("explains each kind of mark that a run has, once", () => {
  expect(words(html("resumed", "checkpoint", "checkpoint"))).toEqual(["checkpoint", "resumed"]);
  expect(html()).toBe("");
});

it("draws a mark as the charts do", () => {
  const { color, dash } = MARK_LOOKS.resumed;
  expect(html("resumed")).toContain(`stroke="${color}" stroke-dasharray="${dash}"`);
  expect(html("resumed")).toContain("A line across each chart");
  expect(html("checkpoint")).toContain("A notch below a chart");
});

it("has a word for every kind", () => {
  const kinds = Object.keys(MARK_LOOKS) as Kind[];
  expect(words(html(...kinds))).toHaveLength(kinds.length);
});

it("gives an alarm the colour of its notice", () => {
  const both = legend([
    { kind: "alarm", severity: "danger" },
    { kind: "alarm", severity: "warning" },
  ]);
  expect(words(both)).toEqual(["alarm", "serious alarm"]);
  expect(both.match(/var\(--\w+\)/g)).toEqual([
    "var(--warning)",
    "var(--warning)",
    "var(--danger)",
    "var(--danger)",
  ]);
});
