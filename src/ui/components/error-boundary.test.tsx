import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ErrorView } from "./error-boundary.tsx";

const view = (message: string, isTraining: boolean) =>
  renderToStaticMarkup(
    <ErrorView
      error={new TypeError(message)}
      isTraining={isTraining}
      onRetry={() => undefined}
      onResetDraft={() => undefined}
    />,
  );
const NOT_LOADED = "Failed to fetch dynamically imported module: http://localhost/assets/trace.js";

test("while a run is active nothing advises a reload, which would end it", () => {
  for (const message of [NOT_LOADED, "URI malformed"]) {
    expect(view(message, true)).toContain("Training continues");
    expect(view(message, true)).not.toMatch(/reload/i);
    expect(view(message, false)).toContain("Reload the page");
  }
});

test("a view that did not arrive is not blamed on the configuration; one that stopped may be", () => {
  expect(view(NOT_LOADED, false)).toContain("This view could not be loaded");
  expect(view(NOT_LOADED, false)).not.toContain("Reset the configuration");
  expect(view("URI malformed", false)).toContain("Reset the configuration");
});
