// Reads a checkpoint that ships with the studio, inside a worker.
import { bundledFile, noSuchCheckpoint } from "../config/init-checkpoint.ts";
import { CheckpointError } from "../core/errors.ts";

/**
 * @param field names where the name was given, and `otherwise` what else may be given.
 * @throws CheckpointError("not_found"), also without a network
 */
export async function fetchBundled(
  name: string,
  field: Parameters<typeof noSuchCheckpoint>[0],
  otherwise: string,
): Promise<Uint8Array<ArrayBuffer>> {
  // The built worker is in assets/, beside checkpoints/; the development server serves everything from the root.
  const folder = import.meta.env.DEV ? "/checkpoints/" : "../checkpoints/";
  const url = new URL(folder + bundledFile(name), globalThis.location.href).href;
  const response = await fetch(url).catch((cause: unknown) => {
    const hint = "Check the network connection, and try again.";
    throw new CheckpointError("not_found", `The policy ${name} could not be loaded.`, hint, { cause });
  });
  // Some servers answer with the page if a file is missing.
  const isPage = response.headers.get("content-type")?.startsWith("text/html");
  if (response.ok && !isPage) return new Uint8Array(await response.arrayBuffer());
  throw noSuchCheckpoint(field, name, otherwise);
}
