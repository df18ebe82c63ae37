// What the shell shows and does for the run on every route: strip, dialogs, shortcuts, announcements, the tab's own life.
// It is loaded after the first paint, because a visitor who watches a replay needs none of it.
import { Suspense, useEffect, useState } from "react";
import { room } from "../lib/room.tsx";
import { takesKeys } from "../lib/takes-keys.ts";
import {
  applyPending,
  downloadCheckpoint,
  pauseRun,
  resumeRun,
  startRun,
  stepRun,
  stopRun,
} from "../session/session.ts";
import { useCheck } from "../store/check-store.ts";
import { redo, undo } from "../store/draft-store.ts";
import { controlsFor } from "../store/run-state.ts";
import { runStore, useRun } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { useUi } from "../store/ui-store.ts";
import { Announcer } from "./announcer.tsx";
import { HelpSheet, StopDialog } from "./help-sheet.tsx";
import { RunStrip } from "./run-strip.tsx";
import { shortcutOf } from "./shortcuts.ts";
import { usePageLife } from "./use-page-life.ts";

const GpuCheckDialog = room(() => import("./gpu-check.tsx"));

interface RunShellProps {
  /** Whether the list of shortcuts is open. */
  help: boolean;
  onHelp: (open: boolean) => void;
  onTraining: (isTraining: boolean) => void;
}

export default function RunShell({ help, onHelp, onTraining }: RunShellProps) {
  const [stopping, setStopping] = useState(false);
  const isTraining = useRun((view) => isActive(view.state));
  useEffect(() => onTraining(isTraining), [isTraining, onTraining]);
  usePageLife();
  useShortcuts({ onHelp: () => onHelp(true), onStop: () => setStopping(true) });
  return (
    <>
      <RunStrip onStop={() => setStopping(true)} />
      <HelpSheet open={help} onClose={() => onHelp(false)} />
      <StopDialog open={stopping} onClose={() => setStopping(false)} onStop={stopRun} />
      <GpuCheck />
      <Announcer />
    </>
  );
}

/** Its code is loaded when it is first opened. */
function GpuCheck() {
  const open = useCheck((state) => state.open);
  const [wasOpened, setWasOpened] = useState(false);
  useEffect(() => {
    if (open) setWasOpened(true);
  }, [open]);
  return <Suspense fallback={null}>{(open || wasOpened) && <GpuCheckDialog />}</Suspense>;
}

function useShortcuts({ onHelp, onStop }: { onHelp: () => void; onStop: () => void }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || takesKeys(event.target)) return;
      const action = shortcutOf(event, useUi.getState().shortcuts);
      if (!action) return;
      const can = controlsFor(runStore.getState().state);
      const actions = {
        start: () => (isActive(runStore.getState().state) ? applyPending() : startRun()),
        pause: () => (can.pause ? pauseRun() : can.resume ? resumeRun() : undefined),
        step: () => (can.step ? stepRun() : undefined),
        stop: () => (can.stop ? onStop() : undefined),
        save: downloadCheckpoint,
        help: onHelp,
        undo,
        redo,
      };
      event.preventDefault();
      void actions[action]();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}
