// The policy tries again from a state of the replay, several times.
import { RotateCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { serializeError } from "../../core/errors.ts";
import { plainMessage } from "../lib/plain-error.ts";
import { useNameOf } from "./whose.ts";

/** Plays the policy from the state before a turn. Rejects with an error in words, and when `signal` ends it. */
export type TryAgain = (request: {
  turn: number;
  tries: number;
  signal: AbortSignal;
  /** What came of each try. */
  onTry: (success: boolean) => void;
}) => Promise<void>;

const TRIES = 10;

interface Attempt {
  turn: number;
  outcomes: readonly boolean[];
  isDone: boolean;
  problem: string;
}

export default function TryAgainButton({ turn, onTryAgain }: { turn: number; onTryAgain: TryAgain }) {
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    const controller = new AbortController();
    running.current = controller;
    const change = (of: (now: Attempt) => Partial<Attempt>) =>
      !controller.signal.aborted && setAttempt((now) => now && { ...now, ...of(now) });
    setAttempt({ turn, outcomes: [], isDone: false, problem: "" });
    const onTry = (success: boolean) => change((now) => ({ outcomes: [...now.outcomes, success] }));
    try {
      await onTryAgain({ turn, tries: TRIES, signal: controller.signal, onTry });
      change(() => ({ isDone: true }));
    } catch (error) {
      change(() => ({ isDone: true, problem: plainMessage(serializeError(error)) }));
    }
  };
  const cancel = () => {
    running.current?.abort();
    setAttempt(null);
  };
  const isRunning = attempt !== null && !attempt.isDone;
  const nameOf = useNameOf();
  const words = isRunning ? "Cancel" : `Let the policy retry from turn ${turn + 1}`;
  return (
    <>
      <button
        type="button"
        className="btn btn-small max-w-full py-1 text-left whitespace-normal"
        onClick={() => (isRunning ? cancel() : void start())}
        {...nameOf(words)}
      >
        <RotateCw size={14} aria-hidden /> {words}
      </button>
      {attempt && <Outcomes attempt={attempt} />}
    </>
  );
}

function Outcomes({ attempt: { turn, outcomes, isDone, problem } }: { attempt: Attempt }) {
  const successes = outcomes.filter(Boolean).length;
  return (
    <p className="flex w-full flex-wrap items-center gap-2 text-dense" role="status" data-testid="tries">
      <span className="flex gap-0.5" aria-hidden>
        {Array.from({ length: TRIES }, (_, i) => (
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
        `The policy plays from turn ${turn + 1}: try ${outcomes.length + 1} of ${TRIES}.`
      )}
    </p>
  );
}
