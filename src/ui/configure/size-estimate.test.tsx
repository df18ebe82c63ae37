import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { obstacle } from "../store/session-store.ts";
import { SizeLine } from "./size-estimate.tsx";

it("says that the size is being measured, and does not disable Start", () => {
  const size = { state: "measuring" } as const;
  expect(renderToStaticMarkup(<SizeLine size={size} />)).toContain("Measuring the GPU memory…");
  expect(obstacle(size)).toBeNull();
});
