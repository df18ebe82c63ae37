// The page: header, run strip, notices and the route of the address.
import { lazy, Suspense, useEffect, useState } from "react";
import { HashRouter, Navigate, Route, Routes, useLocation } from "react-router";
import { Skeleton } from "./components/controls.tsx";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { loadRoomsWhenIdle, room } from "./lib/room.tsx";
import { takesKeys } from "./lib/takes-keys.ts";
import { resetDraft } from "./session/boot.ts";
import {
  applyPending,
  downloadCheckpoint,
  pauseRun,
  resumeRun,
  startRun,
  stepRun,
  stopRun,
} from "./session/session.ts";
import { Announcer } from "./shell/announcer.tsx";
import { Header } from "./shell/header.tsx";
import { HelpSheet, StopDialog } from "./shell/help-sheet.tsx";
import { Notices } from "./shell/notices.tsx";
import { RunStrip } from "./shell/run-strip.tsx";
import { useScrollPlaces } from "./shell/scroll-places.ts";
import { shortcutOf } from "./shell/shortcuts.ts";
import { usePageLife } from "./shell/use-page-life.ts";
import { redo, undo } from "./store/draft-store.ts";
import { controlsFor } from "./store/run-state.ts";
import { runStore, useRun } from "./store/run-store.ts";
import { isActive } from "./store/run-view.ts";
import { useUi } from "./store/ui-store.ts";

const TrainRoute = room(() => import("./routes/train.tsx"));
const TraceRoute = room(() => import("./routes/trace.tsx"));
const ReplayRoute = room(() => import("./routes/replay.tsx"));
const ReplayTraceRoute = room(() => import("./routes/replay-trace.tsx"));
const NotFoundRoute = room(() => import("./routes/not-found.tsx"));
/** Every state of the page at once, for development. */
const Gallery = import.meta.env.DEV ? lazy(() => import("./testing/gallery.tsx")) : null;

export function App() {
  return (
    <HashRouter>
      <Shell />
    </HashRouter>
  );
}

function Rooms() {
  return (
    <Routes>
      <Route index element={<Navigate to="/train" replace />} />
      <Route path="train" element={<TrainRoute />} />
      <Route path="trace" element={<TraceRoute />} />
      <Route path="trace/:id" element={<TraceRoute />} />
      <Route path="replay/:case" element={<ReplayRoute />} />
      <Route path="replay/:case/trace/:n" element={<ReplayTraceRoute />} />
      {Gallery && <Route path="dev/gallery" element={<Gallery />} />}
      <Route path="*" element={<NotFoundRoute />} />
    </Routes>
  );
}

function Shell() {
  const { pathname } = useLocation();
  const hasRun = useRun((view) => view.state !== "idle");
  const isTraining = useRun((view) => isActive(view.state));
  const [help, setHelp] = useState(false);
  const [stopping, setStopping] = useState(false);
  usePageLife();
  useScrollPlaces();
  useEffect(loadRoomsWhenIdle, []);
  useShortcuts({ onHelp: () => setHelp(true), onStop: () => setStopping(true) });
  return (
    // On wide screens the rooms scroll below a fixed header; on small ones the page scrolls under a sticky one.
    <div
      className="flex min-h-dvh flex-col [--sticky-top:calc(var(--header-height)+var(--strip-height))] lg:h-dvh lg:overflow-hidden lg:[--sticky-top:0px]"
      style={hasRun ? {} : ({ "--strip-height": "0px" } as React.CSSProperties)}
    >
      {/* biome-ignore lint/a11y/useValidAnchor: a skip link; the address after # is the room, so the jump is made by hand */}
      <a
        href="#main"
        className="btn btn-primary fixed top-1 left-1 z-50 -translate-y-16 focus:translate-y-0"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to content
      </a>
      <Header onHelp={() => setHelp(true)} />
      <RunStrip onStop={() => setStopping(true)} />
      <main
        id="main"
        tabIndex={-1}
        className="flex flex-1 flex-col outline-none lg:relative lg:min-h-0 lg:scroll-pt-[150px] lg:scroll-pb-[72px] lg:overflow-y-auto"
      >
        <Notices />
        <ErrorBoundary resetKey={pathname} isTraining={isTraining} onResetDraft={resetDraft}>
          <Suspense
            fallback={
              <Skeleton
                what="Loading"
                count={3}
                className="grid gap-4 p-4 lg:grid-cols-3"
                item="h-64 rounded-lg"
              />
            }
          >
            <Rooms />
          </Suspense>
        </ErrorBoundary>
      </main>
      <HelpSheet open={help} onClose={() => setHelp(false)} />
      <StopDialog open={stopping} onClose={() => setStopping(false)} onStop={stopRun} />
      <Announcer />
    </div>
  );
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
