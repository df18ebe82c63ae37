// The policy tries again from a state of the replay, several times.
import { RotateCw } from "lucide-react";
import { useLabelOf } from "./whose.ts";

/** Plays the policy from the state before a turn. Rejects with an error in words, and when `signal` ends it. */
export type TryAgain = (request: {
  turn: number;
  tries: number;
  signal: AbortSignal;
  /** What came of each try. */
  onTry: (success: boolean) => void;
}) => Promise<void>;

/** What has come of the tries so far. */
export interface Attempt {
  turn: number;
  /** How many there will be. */
  tries: number;
  outcomes: readonly boolean[];
  isDone: boolean;
  problem: string;
}

interface TryAgainProps {
  turn: number;
  attempt: Attempt | null;
  onStart: () => void;
  onCancel: () => void;
}

export default function TryAgainButton({ turn, attempt, onStart, onCancel }: TryAgainProps) {
  const isRunning = attempt !== null && !attempt.isDone;
  const labelOf = useLabelOf();
  const words = isRunning ? "Cancel" : `Let the policy retry from turn ${turn + 1}`;
  return (
    <>
      <button
        type="button"
        className="btn btn-small max-w-full py-1 text-left whitespace-normal"
        onClick={isRunning ? onCancel : onStart}
        {...labelOf(words)}
      >
        <RotateCw size={14} aria-hidden /> {words}
      </button>
      {attempt && <Outcomes attempt={attempt} />}
    </>
  );
}

function Outcomes({ attempt: { turn, tries, outcomes, isDone, problem } }: { attempt: Attempt }) {
  const successes = outcomes.filter(Boolean).length;
  return (
    <p className="flex w-full flex-wrap items-center gap-2 text-dense" role="status" data-testid="tries">
      <span className="flex gap-0.5" aria-hidden>
        {Array.from({ length: tries }, (_, i) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of tries is their identity
            key={i}
            className={`flex size-4 items-center justify-center rounded-sm text-caption ${
              outcomes[i] === undefined
                ? "border border-line-strong"
                : outcomes[i]
                  ? "bg-ok text-surface"
                  : "border border-control text-muted"
            }`}
          >
            {outcomes[i] === undefined ? "" : outcomes[i] ? "✓" : "✗"}
          </span>
        ))}
      </span>
      {problem ? (
        <span className="text-danger">{problem}</span>
      ) : isDone ? (
        `${successes} of ${outcomes.length} tries from turn ${turn + 1} succeed.`
      ) : (
        `The policy plays from turn ${turn + 1}: try ${outcomes.length + 1} of ${tries}.`
      )}
    </p>
  );
}
