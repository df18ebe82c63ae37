// The way from an alarm back to a checkpoint of the run that is stored from before it.
import { useEffect, useState } from "react";
import { Confirm } from "../components/controls.tsx";
import { counted } from "../lib/format.ts";
import { goBackTo, storedUpdates } from "../session/session.ts";
import { updateInStage } from "../store/progress.ts";
import { useRun } from "../store/run-store.ts";
import { isActive, type RunNotice, type RunState } from "../store/run-view.ts";
import { useGoingOnBlocked } from "../store/shown-judge.ts";

/** Updates of the checkpoints that the run on screen has stored, newest first. */
export function useStoredUpdates(): readonly number[] {
  const runId = useRun((view) => view.runId);
  // Each new checkpoint may displace another.
  const newest = useRun((view) => view.checkpoint?.name);
  const [known, setKnown] = useState<{ runId: string; updates: readonly number[] } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new checkpoint changes what is stored
  useEffect(() => {
    if (!runId) return;
    let isWanted = true;
    void storedUpdates(runId).then((updates) => isWanted && setKnown({ runId, updates }));
    return () => {
      isWanted = false;
    };
  }, [runId, newest]);
  // Not those of the run before, until the new ones are read.
  return known && known.runId === runId ? known.updates : NONE;
}

const NONE: readonly number[] = [];

/** Whether an alarm advises to go back to a checkpoint. */
export const namesCheckpoint = ({ hint }: Pick<RunNotice, "hint">): boolean => hint.includes("checkpoint");

/** The newest stored checkpoint from before an alarm that advises to go back to one; undefined where there is none. */
export const checkpointBefore = (
  alarm: Pick<RunNotice, "began" | "hint">,
  stored: readonly number[],
): number | undefined => {
  const { began = 0 } = alarm;
  return namesCheckpoint(alarm) ? stored.find((update) => update < began) : undefined;
};

/** The run is being built, ended or rebuilt, and takes no other command. */
const BUSY: readonly RunState[] = ["preparing", "stepping", "pausing", "stopping", "recovering"];

/** Sends the run back to its checkpoint of an update, after a question. While that is open, newer checkpoints may take the place of the one it is about. */
export function GoBack({ update }: { update: number | undefined }) {
  const [asking, setAsking] = useState(false);
  const [asked, setAsked] = useState(0);
  const stages = useRun((view) => view.stages);
  const total = useRun((view) => view.totalUpdates);
  const done = useRun((view) => view.update);
  const busy = useRun(({ state }) => BUSY.includes(state));
  const elsewhere = useGoingOnBlocked();
  const blocked = useRun(({ state }) => isActive(state)) ? "" : elsewhere;
  if (update === undefined && !asking) return null;
  const nameOf = (of: number) => updateInStage(stages, total, of).name;
  const name = nameOf(asked);
  const ask = (about: number) => {
    setAsked(about);
    setAsking(true);
  };
  return (
    <>
      {update !== undefined && (
        <button
          type="button"
          className="btn btn-small"
          disabled={busy || blocked !== ""}
          title={blocked || "To its stored checkpoint from before the alarm"}
          onClick={() => ask(update)}
        >
          Go back to {nameOf(update)}
        </button>
      )}
      <Confirm
        title={`Go back to ${name}?`}
        open={asking}
        onClose={() => setAsking(false)}
        yes={`Go back to ${name}`}
        no="Stay here"
        onYes={() => void goBackTo(asked)}
      >
        The charts, traces and checkpoints of {counted(done - asked, "update")} since then are deleted from
        this browser, which cannot be undone. The run then waits, paused, with the settings that it had after{" "}
        {name}: later changes are undone, earlier ones stay. With the same settings it would do the same
        again, so if an earlier change led here, set it back before you press Resume.
      </Confirm>
    </>
  );
}
