import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ActionName } from "./turn-parts.tsx";

const shown = (name: string, mention?: string) =>
  renderToStaticMarkup(
    <ActionName
      action={{ name, valid: true, effective: false, note: "", ...(mention !== undefined && { mention }) }}
    />,
  );

it("names an action once, and a long one below what it is called", () => {
  expect(shown("move_left", "move_left blocked")).toBe("move_left");
  expect(shown("Up")).toBe("Up");
  expect(shown("<svg/>", "a drawing")).toMatch(/^a drawing<code.*&lt;svg\/&gt;<\/code>$/);
});
