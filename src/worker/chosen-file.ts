// A file that the person chose in the page.
import { CheckpointError } from "../core/errors.ts";

/** Its bytes. @throws CheckpointError("not_found") if it was moved, deleted or changed since. */
export async function readChosen(file: File): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await file.arrayBuffer().catch((cause: unknown) => {
    throw new CheckpointError("not_found", `${file.name} can no longer be read.`, "Choose it again.", {
      cause,
    });
  });
  return new Uint8Array(bytes);
}
