// What is loaded and how far it is, in place of what it is loaded for.
import { formatMiB } from "../../core/format.ts";
import type { LoadProgress } from "../../envs/loading.ts";

interface LoadBarProps {
  progress: LoadProgress;
  /** Size and place of the whole. */
  className?: string;
}

/** A bar of the bytes that have arrived; where they are not known, or all there, one that only moves. */
export function LoadBar({ progress, className = "h-80" }: LoadBarProps) {
  const { bytes, of } = progress;
  const isCounted = of !== null && bytes < of;
  return (
    <div
      data-testid="load-bar"
      className={`flex flex-col items-center justify-center gap-2 rounded-lg bg-panel p-4 text-center text-dense text-muted ${className}`}
    >
      <p role="status">{loadText(progress)}</p>
      {/* Busy on its own: what is in a busy element may not be announced. */}
      <progress
        aria-busy="true"
        className="load-bar w-full max-w-56"
        aria-label={loadText(progress)}
        {...(isCounted && { value: bytes, max: of })}
      />
      <p className="nums min-h-5 text-caption" aria-hidden>
        {isCounted && `${formatMiB(bytes)} of ${formatMiB(of)}`}
      </p>
    </div>
  );
}

/** The progress of a file that a worker opens, which reports none of it. `besides` is loaded with it. */
export const openingOf = ({ name, size }: Pick<File, "name" | "size">, besides = ""): LoadProgress => ({
  what: `${name} (${formatMiB(size)})${besides && ` and ${besides}`}`,
  bytes: 0,
  of: null,
});

/** What is being loaded. Announced once, so without the bytes that have arrived. */
export function loadText({ what, bytes, of }: LoadProgress): string {
  if (of === null) return `Loading ${what}…`;
  return bytes < of ? `Loading ${what}, ${formatMiB(of)}…` : `Starting ${what}…`;
}
