// Events as lines of JSON, for files and for other programs.
import type { Trajectory } from "../../core/types.ts";
import type { TrainerEvent } from "../../training/events.ts";

/** Typed arrays as lists (six significant digits are more than float32 noise is worth), bytes of pictures as base64. */
export function toJsonLine(value: object): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof Uint8ClampedArray) return Buffer.from(inner).toString("base64");
    if (inner instanceof Float32Array) return Array.from(inner, (x) => Number(x.toPrecision(6)));
    return ArrayBuffer.isView(inner) ? Array.from(inner as Int32Array) : inner;
  });
}

/** An event without its big arrays: of a trajectory, what happened in words. */
export function toEventLine(event: TrainerEvent): string {
  return toJsonLine(
    event.type === "trajectory" ? { ...event, trajectory: summary(event.trajectory) } : event,
  );
}

function summary({ id, envId, entry, seed, success, terminated, truncated, turns }: Trajectory): object {
  return {
    id,
    envId,
    ...(entry !== undefined && { entry }),
    seed,
    success,
    terminated,
    truncated,
    turns: turns.map(({ reply, reward, executed }) => ({
      reply,
      reward,
      actions: executed.map(({ name }) => name),
    })),
  };
}
