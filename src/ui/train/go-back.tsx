// The way back to a stored checkpoint of the run on screen: from an alarm, and from the list of the run's checkpoints.
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Confirm, Dialog } from "../components/controls.tsx";
import { focusBack } from "../lib/focus-back.ts";
import { counted } from "../lib/format.ts";
import { goBackTo, storedUpdates } from "../session/session.ts";
import { updateInStage } from "../store/progress.ts";
import { useRun } from "../store/run-store.ts";
import { isActive, type RunNotice, type RunState } from "../store/run-view.ts";
import { useSession } from "../store/session-store.ts";
import { useGoingOnBlocked } from "../store/shown-judge.ts";

/** Updates of the checkpoints that the run on screen has stored, newest first. */
export function useStoredUpdates(): readonly number[] {
  const runId = useRun((view) => view.runId);
  // A new checkpoint may displace an older one, a full disk, which adds a notice, all but one; another tab may discard the run.
  const checkpoint = useRun((view) => view.checkpoint);
  const notices = useRun((view) => view.notices);
  const runs = useSession((session) => session.stored);
  const [known, setKnown] = useState<{ runId: string; updates: readonly number[] } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them may change what is stored
  useEffect(() => {
    if (!runId) return;
    let isWanted = true;
    void storedUpdates(runId).then((updates) => isWanted && setKnown({ runId, updates }));
    return () => {
      isWanted = false;
    };
  }, [runId, checkpoint, notices, runs]);
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

interface ButtonsProps {
  /** Updates that are offered. */
  updates: readonly number[];
  /** Tells these buttons from others of the same list; absent: their updates do. */
  of?: string;
  onAsk: Ask;
}

/** Asks whether the run should go back to its checkpoint of an update. `asker` names the button, which has the focus again afterwards. */
export type Ask = (update: number, asker: string) => void;

/** Each asks whether the run should go back to its checkpoint of an update. */
export function GoBackButtons({ updates, of = "", onAsk }: ButtonsProps) {
  const nameOf = useNames();
  const busy = useRun(({ state }) => BUSY.includes(state));
  const elsewhere = useGoingOnBlocked();
  const blocked = useRun(({ state }) => isActive(state)) ? "" : elsewhere;
  return updates.map((update) => (
    <button
      key={update}
      type="button"
      className="btn btn-small"
      disabled={busy || blocked !== ""}
      title={blocked || "To its stored checkpoint of this update"}
      data-asks={askerOf(of, update)}
      onClick={() => onAsk(update, askerOf(of, update))}
    >
      Go back to {nameOf(update)}
    </button>
  ));
}

const askerOf = (of: string, update: number): string => of || `update ${update}`;

/**
 * The question of all these buttons, and what asks it. It belongs to a component that stays while buttons come and go, because an element that
 * was made again is no longer an open dialog.
 * @param stored updates of all checkpoints that the run has stored
 * @param list what the buttons are in
 */
export function useGoBack(
  stored: readonly number[],
  list: RefObject<HTMLElement | null>,
): [question: ReactNode, ask: Ask] {
  const [asking, setAsking] = useState(false);
  const [asked, setAsked] = useState(0);
  const asker = useRef<string | null>(null);
  // After the dialog has closed, which gives the focus back to the button if it can. A run that goes back moves it elsewhere.
  useEffect(() => {
    if (asking || asker.current === null) return;
    focusBack(list.current, asker.current);
    asker.current = null;
  }, [asking, list]);
  const question = (
    <GoBackDialog
      update={asked}
      isStored={stored.includes(asked)}
      open={asking}
      onClose={() => setAsking(false)}
      onYes={() => {
        asker.current = null;
        void goBackTo(asked);
      }}
    />
  );
  const ask: Ask = (update, by) => {
    asker.current = by;
    setAsked(update);
    setAsking(true);
  };
  return [question, ask];
}

interface DialogProps {
  update: number;
  /** Whether the run still has a checkpoint of the update: newer ones may take its place while the question is open. */
  isStored: boolean;
  open: boolean;
  onClose: () => void;
  onYes: () => void;
}

/** The question before the run goes back, or that its checkpoint has been removed meanwhile. */
export function GoBackDialog({ update, isStored, open, onClose, onYes }: DialogProps) {
  const done = useRun((view) => view.update);
  const name = useNames()(update);
  if (!isStored)
    return (
      <Dialog title={`The checkpoint of ${name} has been removed`} open={open} onClose={onClose}>
        While a run trains, newer checkpoints take the place of older ones. Choose another checkpoint, or
        pause the run first, so that none is removed before you decide.
      </Dialog>
    );
  return (
    <Confirm
      title={`Go back to ${name}?`}
      open={open}
      onClose={onClose}
      yes={`Go back to ${name}`}
      no="Stay here"
      onYes={onYes}
    >
      The charts, traces and checkpoints of {counted(done - update, "update")} since then are deleted from
      this browser, which cannot be undone. The run then waits, paused, with the settings that it had after{" "}
      {name}: later changes are undone, earlier ones stay. With the same settings it would do the same again,
      so if an earlier change led here, set it back before you press Resume.
    </Confirm>
  );
}

/** Names an update of the run on screen as its strip counts it. */
function useNames(): (update: number) => string {
  const stages = useRun((view) => view.stages);
  const total = useRun((view) => view.totalUpdates);
  return (update) => updateInStage(stages, total, update).name;
}
