import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { createVocabulary } from "../../agent/vocabulary.ts";
import { turnTokens } from "../episode/token-model.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { TokenTable } from "./token-table.tsx";

it("keeps every number on one line, also the probability “> 99.9 %”", () => {
  const { tokens, ...episode } = fakeTrajectory({ id: "a", seed: 3 });
  const sure = {
    ...episode,
    tokens: { ...tokens, rolloutLogprobs: tokens.rolloutLogprobs.map(() => -1e-5) },
  };
  const html = renderToStaticMarkup(
    <TokenTable
      trajectory={sure}
      source="train"
      turn={turnTokens(sure, createVocabulary())[0]!}
      selected={null}
      onSelect={() => undefined}
    />,
  );
  const numbers = html.match(/<td class="[^"]*text-right[^"]*">[^<]*/g)!;
  expect(numbers.some((cell) => cell.includes("&gt; 99.9 %"))).toBe(true);
  for (const cell of numbers) expect(cell).toContain("whitespace-nowrap");
});
