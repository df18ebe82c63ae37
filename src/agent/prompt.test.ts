import { expect, test } from "vitest";
import { observationIds, openingIds } from "./prompt.ts";
import { createVocabulary } from "./vocabulary.ts";

const vocabulary = createVocabulary();

test("the prompt costs a handful of tokens beside the picture", () => {
  const opening = openingIds(vocabulary, { envId: "frozenlake", format: "grounding_worldmodeling" });
  const first = observationIds(vocabulary, { observation: "turn 1<image>", imageTokens: 16 });
  const later = observationIds(vocabulary, { observation: "turn 2 after Right<image>", imageTokens: 16 });
  expect(opening.length + first.length).toBe(6 + 16);
  expect(later).toHaveLength(5 + 16);
  expect(first.filter((id) => id === vocabulary.image)).toHaveLength(16);
  expect(vocabulary.decode([...opening, ...first])).toMatch(
    /^<bos>FrozenLake grounding_worldmodeling<user>turn 1(<image>)+<assistant>$/,
  );
});
