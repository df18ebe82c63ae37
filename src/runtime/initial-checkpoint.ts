// A checkpoint that is named but does not exist: the same words in the page and on the command line.
import { BUNDLED } from "../config/bundled.ts";
import { suggestion } from "../config/suggest.ts";
import { CheckpointError } from "../core/errors.ts";
import { short } from "../core/short.ts";

/** The setting that names the checkpoint which a run starts from. */
export const INIT_CHECKPOINT = "trainer.init_checkpoint";

/** File name of a bundled checkpoint; its name may be written with its ending. */
export const bundledFile = (name: string): string => `${bundledName(name)}.safetensors`;

const bundledName = (name: string): string => name.replace(/\.safetensors$/, "");

/** `field` is what the name was given as; `otherwise` says what else would do there. */
export function noSuchCheckpoint(field: string, name: string, otherwise: string): CheckpointError {
  const near = suggestion(
    bundledName(name),
    BUNDLED.map(({ id }) => id),
  );
  return new CheckpointError(
    "not_found",
    `${field} is ${short(JSON.stringify(name), 300)}; there is no such checkpoint.`,
    `${near} ${otherwise}`,
  );
}
