// Errors in sentences that help a user. The graphics layer's own words go into the details.
import type { SerializedError } from "../../core/errors.ts";

/** Codes whose messages come from the browser's graphics layer. */
const GRAPHICS: Readonly<Record<string, string>> = {
  device_lost: "The graphics device was lost.",
  validation: "The graphics device refused a step of the run.",
  shader_compile: "A program for the graphics device could not be compiled.",
};

/** What happened, without the words of the graphics layer. */
export function plainMessage({ name, code, message }: SerializedError): string {
  const plain = name === "GpuError" && Object.hasOwn(GRAPHICS, code) ? GRAPHICS[code] : undefined;
  if (plain) return plain;
  return name === "InternalError" ? "Something unexpected happened in the studio." : message;
}

/** What is known beside the plain message, for a report. */
export function detailsOf(error: SerializedError): string {
  const { name, code, message, where } = error;
  const what = plainMessage(error) === message ? `${name} · ${code}` : `${name} · ${code}: ${message}`;
  return where ? `${what}\n${where}` : what;
}
