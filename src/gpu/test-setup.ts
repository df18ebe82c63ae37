// Runs before every file of the `gpu` test project. A machine without an adapter fails here, with the remedy: a GPU
// test that quietly did not run would prove nothing.

import { StudioError } from "../core/errors.ts";
import { shareNodeGpu } from "./test-sharing.ts";

await shareNodeGpu().catch((error) => {
  // Vitest prints the message only; the remedy is in the hint.
  if (error instanceof StudioError) throw new Error(`${error.message}. ${error.hint}`, { cause: error });
  throw error;
});
