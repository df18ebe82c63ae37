import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ConversationBreak } from "./conversation-break.tsx";

const token = (index: number, text: string) => ({ index, text, isTag: false });

it("says which conversation was closed, and shows the summary token by token", () => {
  const summary = { request: [token(4, "summarise")], written: [token(5, "player at "), token(6, "row 1 ")] };
  const render = (showGiven: boolean) =>
    renderToStaticMarkup(
      <ConversationBreak
        summary={summary}
        number={3}
        classes={[]}
        mapClass="heat"
        selected={null}
        showGiven={showGiven}
      />,
    );
  const page = render(false);
  expect(page).toContain("Conversation 3</h2>");
  expect(page).toContain(
    "Conversation 2 was closed here. Of its turns, conversation 3 sees only this summary of 2 tokens, which the policy wrote.",
  );
  expect(page.match(/data-tok="\d"/g)).toEqual(['data-tok="5"', 'data-tok="6"']);
  expect(render(true)).toContain("summarise");
});
