import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { OptionsOfPhone } from "./options-of-phone.tsx";

it("keeps its children on a wide screen, and behind a button on a phone", () => {
  const [button, children] = renderToStaticMarkup(<OptionsOfPhone>the tools</OptionsOfPhone>).split(
    "</button>",
  );
  expect(button).toMatch(/class="[^"]*\bsm:hidden\b[^"]*" aria-expanded="false"/);
  expect(children).toBe('<div class="contents max-sm:hidden">the tools</div>');
});
