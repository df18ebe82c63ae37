// The page: header, run strip, notices and the route of the address. What only a run needs is loaded after the first paint.
import { lazy, Suspense, useEffect, useState } from "react";
import { HashRouter, Route, Routes, useLocation } from "react-router";
import { Skeleton } from "./components/controls.tsx";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { firstPictureIsShown, useAfterFirstPicture } from "./lib/first-picture.ts";
import { loadRoomsWhenIdle, room } from "./lib/room.tsx";
import { Header } from "./shell/header.tsx";
import { useScrollPlaces } from "./shell/scroll-places.ts";

const HomeRoute = room(() => import("./routes/home.tsx"));
const TrainRoute = room(() => import("./routes/train.tsx"));
const TraceRoute = room(() => import("./routes/trace.tsx"));
const ReplayRoute = room(() => import("./routes/replay.tsx"));
const ReplayTraceRoute = room(() => import("./routes/replay-trace.tsx"));
const NotFoundRoute = room(() => import("./routes/not-found.tsx"));
const RunShell = room(() => import("./shell/run-shell.tsx"));
const Notices = room(() => import("./shell/notices.tsx"));
/** Replaces the draft, in case it is what a view cannot show. */
const resetDraft = async () => (await import("./session/boot.ts")).resetDraft();
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
      <Route index element={<HomeRoute />} />
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
  const [help, setHelp] = useState(false);
  const [isTraining, setTraining] = useState(false);
  const boundary = { resetKey: pathname, isTraining, onResetDraft: resetDraft };
  useScrollPlaces();
  const loadsRest = useAfterFirstPicture();
  useEffect(() => {
    if (loadsRest) loadRoomsWhenIdle();
  }, [loadsRest]);
  useEffect(() => {
    // The visitor has gone on without waiting for it.
    if (pathname !== "/") firstPictureIsShown();
  }, [pathname]);
  return (
    // On wide screens the rooms scroll below a fixed header; on small ones the page scrolls under a sticky one.
    <div className="shell flex min-h-dvh flex-col [--sticky-top:calc(var(--header-height)+var(--strip-height))] lg:h-dvh lg:overflow-hidden lg:[--sticky-top:0px]">
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
      <ErrorBoundary {...boundary}>
        <Suspense fallback={null}>
          {loadsRest && <RunShell help={help} onHelp={setHelp} onTraining={setTraining} />}
        </Suspense>
      </ErrorBoundary>
      <main
        id="main"
        tabIndex={-1}
        className="flex flex-1 flex-col outline-none lg:relative lg:min-h-0 lg:scroll-pt-[150px] lg:scroll-pb-[72px] lg:overflow-y-auto"
      >
        <ErrorBoundary {...boundary}>
          <Suspense fallback={null}>{loadsRest && <Notices />}</Suspense>
        </ErrorBoundary>
        <ErrorBoundary {...boundary}>
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
    </div>
  );
}
