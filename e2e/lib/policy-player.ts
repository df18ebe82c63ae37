// The policy that plays the level of the preview in ONNX Runtime.
import type { Page } from "playwright-core";

export const player = (page: Page) => page.getByRole("region", { name: "A policy plays this level" });
export const playButton = (page: Page) => page.getByRole("button", { name: "Let a policy play this level" });

/** Waits until the episode on screen is over; returns its outcome. */
export async function playedToEnd(page: Page): Promise<string> {
  const status = page.getByTestId("policy-plays").getByRole("status");
  await status
    .getByText(/^.(?: )?(Success|Failed|Out of turns)/)
    .first()
    .waitFor();
  return status.innerText();
}
