// In place of what could not be loaded.
import { FileWarning } from "lucide-react";

interface LoadFailureProps {
  /** What is missing, as the beginning of a sentence: "The recording". */
  what?: string;
  problem: string;
  retry: () => void;
  className?: string;
}

/** Says what did not load and why, and offers another try. */
export function LoadFailure({
  what = "The recording",
  problem,
  retry,
  className = "py-10",
}: LoadFailureProps) {
  return (
    <div
      role="alert"
      className={`flex flex-col items-center justify-center gap-2 px-4 text-center text-dense text-muted ${className}`}
    >
      <FileWarning size={24} aria-hidden />
      <p className="font-semibold text-text">{what} did not load</p>
      <p className="max-w-[52ch]">{problem}</p>
      <button type="button" className="btn btn-small" onClick={retry}>
        Try again
      </button>
    </div>
  );
}
