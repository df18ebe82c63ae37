// Every error that the studio throws on purpose. Anything else that is thrown is a bug.
import { type Message, type Said, said } from "./message.ts";

/**
 * A deliberate error: `code` is stable (tests and the page switch on it), the message says what happened with the
 * values, `hint` says what to do about it. `parts` has both where they name settings, for the page.
 */
export abstract class StudioError<Code extends string = string> extends Error {
  /** Written out in each class: a build shortens the names of classes, and the other thread looks the class up by this. */
  abstract override readonly name: string;

  readonly hint?: string | undefined;
  readonly parts?: Said["parts"];

  constructor(
    readonly code: Code,
    message: Message,
    hint?: Message,
    options?: ErrorOptions,
  ) {
    const { message: text, hint: advice, parts } = said(message, hint);
    super(text, options);
    this.hint = advice;
    if (parts) this.parts = parts;
  }
}

export class GpuError extends StudioError<
  | "no_adapter"
  | "adapter_lost"
  | "device_lost"
  | "shader_compile"
  | "out_of_memory"
  | "limit_exceeded"
  | "timeout"
  | "validation"
> {
  override readonly name = "GpuError";
}
export class ConfigError extends StudioError<"invalid_yaml" | "invalid_config" | "unknown_id"> {
  override readonly name = "ConfigError";
}
export class EnvError extends StudioError<
  "reset_needed" | "invalid_action" | "unsolvable_level" | "invalid_config" | "not_loaded" | "own_failed"
> {
  override readonly name = "EnvError";
}
export class PolicyError extends StudioError<
  "wrong_architecture" | "too_long" | "non_finite" | "unknown_token"
> {
  override readonly name = "PolicyError";
}
export class CheckpointError extends StudioError<
  "truncated" | "corrupt" | "foreign" | "wrong_architecture" | "not_found" | "non_finite"
> {
  override readonly name = "CheckpointError";
}
export class ProtocolError extends StudioError<"version" | "worker_died" | "busy"> {
  override readonly name = "ProtocolError";
}

/** A file could not be stored as it should be, or its name leads out of the place where runs are kept. */
export class StorageError extends StudioError<"full" | "unreliable" | "invalid_name"> {
  override readonly name = "StorageError";
}

/** Code that a user added to the studio: it cannot be read or registered, it failed, a run lacks it, or no worker can run it. */
export class ExtensionError extends StudioError<"invalid" | "failed" | "missing" | "unavailable"> {
  override readonly name = "ExtensionError";
}

/** What crosses a thread boundary or goes into a file in place of an Error. */
export interface SerializedError extends Said {
  name: string;
  code: string;
  /** Where code that a user added failed, innermost first: "step, line 12". */
  where?: string;
}

/** Any thrown value as plain data. An unexpected error keeps its message and gets the code `internal`. */
export function serializeError(error: unknown): SerializedError {
  if (error instanceof StudioError) {
    const { name, code, message, hint, parts } = error;
    const where = placesIn(error.cause);
    return {
      ...{ name, code, message },
      ...(hint !== undefined && { hint }),
      ...(parts && { parts }),
      ...(where && { where }),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { name: "InternalError", code: "internal", message };
}

/** Frames of a stack that help to find a mistake. */
const MOST_FRAMES = 5;
/** A frame in a module that was imported from text, as V8 and as Firefox and Safari write it. Counting steps moves columns, not lines. */
const OWN_FRAME =
  /(?:at (?:async )?(?:new )?([^\s(]+)(?: \[as [^\]]+\])? \(|^\s*([^@\s]*)@|at )(?:blob:|data:text\/javascript)\S*?:(\d+):\d+\)?$/;

/** The functions and lines of modules of the user's in the stack of what was thrown, on a line each. */
export function placesIn(thrown: unknown): string {
  const stack = thrown instanceof Error && typeof thrown.stack === "string" ? thrown.stack : "";
  return stack
    .split("\n")
    .flatMap((line) => {
      const frame = OWN_FRAME.exec(line);
      return frame ? [`${frame[1] || frame[2] || "the module"}, line ${frame[3]}`] : [];
    })
    .slice(0, MOST_FRAMES)
    .join("\n");
}
