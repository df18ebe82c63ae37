import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Stacked } from "./stacked.tsx";
import { useLabelOf, useNameOf } from "./whose.ts";

function Control({ words }: { words: string }) {
  return (
    <button type="button" {...useLabelOf()(words)} title={useNameOf()(words)}>
      {words}
    </button>
  );
}

const side = (name: string) => ({
  ...{ head: `head ${name}`, picture: `picture ${name}`, words: `words ${name}`, views: `views ${name}` },
  ...{ fromHere: <Control words="Retry" />, own: null },
});
const shown = (spoken: number) =>
  renderToStaticMarkup(
    <Stacked parts={[side("a"), side("b")]} titles={["A", "B"]} spoken={spoken} onSpoken={() => undefined} />,
  );
/** The parts with words: whose they are, whether they are hidden, and what they contain. */
const partsOf = (html: string) =>
  [
    ...html.matchAll(
      /<div role="group" aria-label="(.)"( hidden="")? class="col-span-2[^>]*>(.*?)views (.)</g,
    ),
  ].map(([, title, hidden, content, name]) => ({ title, isHidden: hidden !== undefined, content, name }));

it.each([0, 1])(
  "keeps the words and the buttons of both replays, and hides those of the other, %d",
  (spoken) => {
    const parts = partsOf(shown(spoken));
    expect(parts.map(({ title, name, isHidden }) => [title, name, isHidden])).toEqual([
      ["A", "a", spoken !== 0],
      ["B", "b", spoken !== 1],
    ]);
    for (const { title, name, content } of parts) {
      expect(content).toContain(`words ${name}`);
      expect(content).toContain(`aria-label="Retry, ${title}"`);
      expect(content).toContain(`title="Retry, ${title}"`);
    }
  },
);
it("names controls by their words where there is one replay", () => {
  expect(renderToStaticMarkup(<Control words="Undo" />)).toBe(
    '<button type="button" title="Undo">Undo</button>',
  );
});
