// The tab's own life: its title while hidden, the welcome on return, and the question before work is lost.
import { useEffect } from "react";
import { lookAround, saveSoon, wouldLoseWork } from "../session/session.ts";
import { stageProgress } from "../store/progress.ts";
import { runStore } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { useSession } from "../store/session-store.ts";

const TITLE = "VAGEN Studio";
const WORTH_A_WORD_MS = 60_000;

export function usePageLife(): void {
  useEffect(() => {
    let leftAt = 0;
    let leftUpdate = 0;
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
      if (leftAt > 0 && away > WORTH_A_WORD_MS && isActive(runStore.getState().state))
        useSession.setState({ away: { minutes: Math.round(away / 60_000), updates: update - leftUpdate } });
    };
    const onLeave = (event: BeforeUnloadEvent) => {
      if (wouldLoseWork()) event.preventDefault();
    };
    const stopTitle = runStore.subscribe((view) => {
      if (document.visibilityState !== "hidden" || !isActive(view.state)) return;
      const { done, of } = stageProgress(view);
      document.title = `${view.state === "paused" ? "⏸" : "▶"} ${done}/${of} · ${TITLE}`;
    });
    document.addEventListener("visibilitychange", onVisibility);
    window.addEventListener("beforeunload", onLeave);
    return () => {
      stopTitle();
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("beforeunload", onLeave);
    };
  }, []);
}
