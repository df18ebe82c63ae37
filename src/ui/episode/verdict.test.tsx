import { isValidElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { BeliefTable, spokenVerdicts, VerdictChip } from "./verdict.tsx";

/** Keys of the table rows in what a component returned. */
function rowKeys(node: ReactNode): (string | null)[] {
  if (Array.isArray(node)) return node.flatMap(rowKeys);
  if (!isValidElement<{ children?: ReactNode }>(node)) return [];
  const own = node.type === "tr" && node.key !== null ? [node.key] : [];
  return [...own, ...rowKeys(node.props.children)];
}

it("has a row of its own for each of two things of one name", () => {
  const [turn] = fakeTrajectory({ id: "v", seed: 5 }).turns;
  const observation = turn!.verdicts.observation!;
  const [field] = observation.fields;
  const chairs = [2, 3].map((steps) => ({ ...field!, name: "chair", predicted: `${steps} ahead` }));
  const keys = rowKeys(
    BeliefTable({ turn: { ...turn!, verdicts: { observation: { ...observation, fields: chairs } } } }),
  );
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(2);
});

it("says that a reasoning is judged by what it says of the neighbours only", () => {
  const [turn] = fakeTrajectory({ id: "v", seed: 5 }).turns;
  const verdict = turn!.verdicts.observation!;
  const chip = (kind: string) =>
    renderToStaticMarkup(<VerdictChip verdict={{ ...verdict, status: "match" }} turn={turn!} kind={kind} />);
  expect(chip("reasoning")).toMatch(/four cells beside the player.*Neighbours: match</);
  expect(chip("observation")).toMatch(/<\/span>Match</);
});

it("says aloud what was found, and nothing of claims that a question has no place for", () => {
  const [turn] = fakeTrajectory({ id: "v", seed: 5 }).turns;
  const verdict = turn!.verdicts.observation!;
  const failed = { ...verdict, status: "not_judged" as const };
  expect(spokenVerdicts({ ...turn!, verdicts: { observation: verdict, prediction: failed } })).toBe(
    ", observation match, prediction not judged",
  );
  expect(spokenVerdicts({ ...turn!, verdicts: {} })).toBe("");
});
