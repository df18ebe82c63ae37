import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { SECTIONS } from "../../config/describe.ts";
import { useExtensions } from "../store/extension-store.ts";
import { Extensions } from "./extensions.tsx";

/** The panel with an environment of an extension. React's server rendering reads the initial state of a store. */
function panel(): string {
  const initial = useExtensions.getInitialState();
  const before = { ...initial };
  const active = [{ name: "key and door of the third floor", source: "export default () => {};" }];
  Object.assign(initial, { active, registered: [{ provides: ["environment key-door"] }] });
  try {
    return renderToStaticMarkup(<Extensions />);
  } finally {
    Object.assign(initial, before);
  }
}

it("points to the section of the form where an environment is chosen", () => {
  expect(panel()).toContain(`Choose an environment as the task, under ${SECTIONS.env}.`);
});

it("shows the whole name of an extension", () => {
  const [, look] = /<span class="([^"]*)">key and door of the third floor</.exec(panel())!;
  expect(look).not.toContain("truncate");
});
