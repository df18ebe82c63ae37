// Announcements for assistive technology: changes of state, and every tenth update but at most once in 15 seconds.
import { useEffect, useState } from "react";
import { stageProgress, updateName } from "../store/progress.ts";
import { endingText, RUN_FACES, STAGE_TITLES } from "../store/run-state.ts";
import { runStore } from "../store/run-store.ts";
import { isActive, type RunView } from "../store/run-view.ts";

const QUIET_MS = 15_000;

/** Decides what is worth saying; null for nothing. */
export function announcement(previous: RunView, view: RunView, sinceLastMs: number): string | null {
  if (view.state === "idle")
    return previous.runId && !isActive(previous.state) ? "The run was closed." : null;
  if (view.state !== previous.state) {
    // An update in progress is computed before the run rests, so it rests at another one.
    const ending = endingText(view);
    if (ending) return ending;
    const at = view.update > 0 ? ` at ${updateName(view, view.update)}` : "";
    return `${RUN_FACES[view.state].word}${at}.`;
  }
  const tenth = Math.floor(view.update / 10) > Math.floor(previous.update / 10);
  if (view.state === "running" && tenth && sinceLastMs >= QUIET_MS) return updateWords(view);
  return null;
}

/** "PPO update 10 of 40." */
function updateWords(view: RunView): string {
  const { done, of } = stageProgress(view);
  return `${STAGE_TITLES[view.stage ?? "ppo"]} update ${done} of ${of}.`;
}

export function Announcer() {
  const [text, setText] = useState("");
  useEffect(() => {
    let saidAt = Number.NEGATIVE_INFINITY;
    return runStore.subscribe((view, previous) => {
      const words = announcement(previous, view, performance.now() - saidAt);
      if (words === null) return;
      saidAt = performance.now();
      setText(words);
    });
  }, []);
  return (
    <p aria-live="polite" className="visually-hidden">
      {text}
    </p>
  );
}
