// What `trainer.init_checkpoint` may be: the name of a checkpoint, or a file that was chosen in the page.
import { CheckpointError } from "../core/errors.ts";
import { type Message, message, type Part } from "../core/message.ts";
import { short } from "../core/short.ts";
import { BUNDLED } from "./bundled.ts";
import { suggestion } from "./suggest.ts";

/** A file that the user chose, as a value of the configuration: its address in the page and its name. */
export function fileChoice(blobUrl: string, fileName: string): string {
  return `${blobUrl}#${encodeURIComponent(fileName)}`;
}

/** The address and the name of a chosen file; null for the name of a checkpoint. */
export function chosenFile(value: string): { url: string; name: string } | null {
  if (!value.startsWith("blob:")) return null;
  const [url, name] = value.split("#") as [string, string?];
  return { url, name: name ? decoded(name) : "a file" };
}

/** A configuration may come from elsewhere, so the name need not be an encoded one. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The name of the checkpoint in messages. */
export const checkpointTitle = (value: string): string => chosenFile(value)?.name ?? value;

/** The setting that names the checkpoint which a run starts from. */
export const INIT_CHECKPOINT = "trainer.init_checkpoint";

/** File name of a bundled checkpoint; its name may be written with its ending. */
export const bundledFile = (name: string): string => `${bundledName(name)}.safetensors`;

const bundledName = (name: string): string => name.replace(/\.safetensors$/, "");

/**
 * The error for a checkpoint that does not exist.
 * @param field the setting or option that holds the name
 * @param otherwise what else it may be
 * @param hint what to do about it; by default, to choose a bundled name that is like it, or what `otherwise` says
 */
export function noSuchCheckpoint(
  field: Message | Part,
  name: string,
  otherwise: string,
  hint = `${bundledLike(name)} ${otherwise}`,
): CheckpointError {
  return new CheckpointError(
    "not_found",
    message`${field} is ${short(JSON.stringify(name), 300)}; there is no such checkpoint.`,
    hint,
  );
}

const bundledLike = (name: string): string =>
  suggestion(
    bundledName(name),
    BUNDLED.map(({ id }) => id),
  );
