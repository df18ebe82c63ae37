// The tab's own life: its title while hidden, the welcome on return, and the question before work is lost.
import { useEffect } from "react";
import { lookAround, saveSoon } from "../session/session.ts";
import { stageProgress } from "../store/progress.ts";
import { runStore } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { useSession } from "../store/session-store.ts";

const TITLE = "VAGEN Studio";
/** Shorter absences pass without a notice. */
const LONG_ABSENCE_MS = 60_000;
/** Leaving the page asks first when more training than this would be lost. */
const WORTH_SAVING_MS = 60_000;

export function usePageLife(): void {
  useEffect(() => {
    let leftAt = 0;
    let leftUpdate = 0;
    let savedAt = 0;
    const onVisibility = () => {
      const { update } = runStore.getState();
      if (document.visibilityState === "hidden") {
        leftAt = Date.now();
        leftUpdate = update;
        saveSoon();
        return;
      }
      document.title = TITLE;
      void lookAround();
      const away = Date.now() - leftAt;
      if (leftAt > 0 && away > LONG_ABSENCE_MS && isActive(runStore.getState().state))
        useSession.setState({ away: { minutes: Math.round(away / 60_000), updates: update - leftUpdate } });
    };
    const onLeave = (event: BeforeUnloadEvent) => {
      const { state } = runStore.getState();
      if (isActive(state) && state !== "preparing" && Date.now() - savedAt > WORTH_SAVING_MS)
        event.preventDefault();
    };
    const unsubscribe = runStore.subscribe((view, before) => {
      if (!isActive(before.state) || view.checkpoint !== before.checkpoint) savedAt = Date.now();
      if (document.visibilityState !== "hidden" || !isActive(view.state)) return;
      const { done, of } = stageProgress(view);
      document.title = `${view.state === "paused" ? "⏸" : "▶"} ${done}/${of} · ${TITLE}`;
    });
    document.addEventListener("visibilitychange", onVisibility);
    window.addEventListener("beforeunload", onLeave);
    return () => {
      unsubscribe();
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("beforeunload", onLeave);
    };
  }, []);
}
