// Train: configure on the left, charts in the middle, episodes on the right; tabs on small screens.
import { PanelRightClose } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { IconButton, Skeleton } from "../components/controls.tsx";
import { ConfigurePanel } from "../configure/configure-panel.tsx";
import { ExtensionDialog } from "../configure/extension-dialog.tsx";
import { StartBar } from "../configure/start-bar.tsx";
import { LevelPreview } from "../episode/level-preview.tsx";
import { room } from "../lib/room.tsx";
import { useEver } from "../lib/use-ever.ts";
import { useWide } from "../lib/use-media.ts";
import { LiveEpisode } from "../replay/live-episode.tsx";
import { NoFilm } from "../replay/no-film.tsx";
import { Offers, StoredRunsButton, StoredRunsList } from "../shell/lazy-stored-runs.tsx";
import { useDraft } from "../store/draft-store.ts";
import { focusField } from "../store/form-store.ts";
import { useRun } from "../store/run-store.ts";
import { hasEnded } from "../store/run-view.ts";
import { canTrain, useSession } from "../store/session-store.ts";
import { setUi } from "../store/ui-store.ts";
import { useUnsaved } from "../store/unsaved-run.ts";
import { Checkpoints } from "../train/checkpoints.tsx";
import { EventLog } from "../train/event-log.tsx";
import { Panels } from "../train/panels.tsx";
import { Preparing } from "../train/preparing.tsx";
import { Summary } from "../train/summary.tsx";
import { UnderWay } from "../train/under-way.tsx";
import { Unsupported } from "../train/unsupported.tsx";
import { PresetCards, Welcome } from "../train/welcome.tsx";

const ChartPanel = room(() => import("../charts/chart-panel.tsx"));
const OwnLevel = room(() => import("../configure/level-preview-play.tsx"));
const TurnFilm = room(() => import("../replay/turn-film.tsx"), NoFilm);

export default function TrainRoute() {
  const wide = useWide();
  return (
    <>
      <h1 className="visually-hidden">Train</h1>
      {/* Before the panels: when one closes, it gives the focus back, and then a panel may take it. */}
      <ExtensionDialog />
      <ListOfStoredRuns />
      <Panels
        configure={
          <ConfigurePanel
            tools={<StoredRuns />}
            beforeStart={!wide && <OfferedBelow />}
            {...(wide && { onHide: () => setUi({ configureOpen: false }) })}
          />
        }
        charts={<Centre beginsWith={wide && <Offered />} />}
        episodes={<Episodes {...(wide && { onHide: () => setUi({ episodesOpen: false }) })} />}
        below={<StartBelow />}
      />
    </>
  );
}

/** Stored runs stay within reach when their offer was dismissed, and beside the run on screen. */
function StoredRuns() {
  // The button knows whether it is needed; its code is loaded once there are stored runs.
  const any = useEver(useSession(({ stored }) => stored.length > 0));
  if (!any) return null;
  return (
    <Suspense fallback={null}>
      <StoredRunsButton />
    </Suspense>
  );
}

function ListOfStoredRuns() {
  const any = useEver(useSession(({ stored }) => stored.length > 0));
  return <Suspense fallback={null}>{any && <StoredRunsList />}</Suspense>;
}

/** The newest stored run, and one that was lost. The code is loaded once there is one. */
function Offered() {
  const left = useUnsaved((unsaved) => unsaved.left !== null);
  const any = useEver(useSession(({ stored }) => stored.length > 0 || left));
  return any && <Offers />;
}

/** Start is in the configuration panel; where that is behind a tab, Start is also below the others. */
function StartBelow() {
  const idle = useRun((view) => view.state === "idle");
  if (!idle) return null;
  return (
    <div className="stuck-bottom sticky bottom-0 z-10 flex flex-col gap-2 border-t border-line bg-panel px-4 py-3 empty:hidden">
      <OfferedBelow />
      <StartIfReady />
    </div>
  );
}

/** On small screens the offers are below every panel, where they move nothing when they arrive. */
function OfferedBelow() {
  return (
    <Suspense fallback={null}>
      <Offered />
    </Suspense>
  );
}

function StartIfReady() {
  const ready = useSession(canTrain);
  const first = useDraft((state) => state.problems[0]?.path);
  if (!ready) return null;
  return (
    <>
      {first && (
        <button
          type="button"
          className="text-left text-caption text-danger underline underline-offset-2"
          onClick={() => focusField(first)}
        >
          The configuration needs your attention.
        </button>
      )}
      <StartBar />
    </>
  );
}

/** The charts, or whatever the state of things puts in their place. @param beginsWith what is above the welcome */
function Centre({ beginsWith }: { beginsWith?: ReactNode }) {
  const state = useRun((view) => view.state);
  const hasData = useRun((view) => view.series.keys.length > 0 || view.validations.length > 0);
  const atWork = useRun((view) => view.phase !== null);
  const preparing = useRun((view) => view.prepare.length > 0);
  const ready = useSession(canTrain);
  const probing = useSession((session) => session.probe.state === "probing");
  return (
    <div className="flex flex-col gap-3">
      {state === "idle" ? (
        <Beginning beginsWith={beginsWith} />
      ) : (
        !ready && !probing && !hasData && <CannotTrain />
      )}
      {(state === "preparing" || (preparing && state === "recovering")) && <Preparing />}
      {hasEnded(state) && <Summary />}
      <UnderWay hasData={hasData} />
      {state === "failed" && ready && !hasData && <PresetCards />}
      {hasData && (
        <Suspense fallback={<ChartSkeleton />}>
          <ChartPanel />
        </Suspense>
      )}
      {!hasData && atWork && <ChartSkeleton />}
      {state !== "idle" && <EventLog />}
      {state !== "idle" && <Checkpoints />}
    </div>
  );
}

/** Before any run. It waits until all of it is known, so that nothing moves when a part arrives. */
function Beginning({ beginsWith }: { beginsWith: ReactNode }) {
  const ready = useSession(canTrain);
  const known = useSession(({ probe, storedKnown }) => probe.state === "ready" && storedKnown);
  if (!known) return <ChartSkeleton />;
  return (
    <Suspense fallback={<ChartSkeleton />}>
      {beginsWith}
      {ready ? <Welcome /> : <CannotTrain />}
    </Suspense>
  );
}

function CannotTrain() {
  return (
    <>
      <Unsupported />
      <PresetCards />
    </>
  );
}

function ChartSkeleton() {
  return (
    <Skeleton
      what="Waiting for data"
      count={4}
      className="grid gap-3 sm:grid-cols-2"
      item="h-56 rounded-lg"
    />
  );
}

function Episodes({ onHide }: { onHide?: () => void }) {
  const hasRun = useRun((view) => view.state !== "idle");
  const hide = onHide && <IconButton icon={PanelRightClose} name="Hide this panel" small onClick={onHide} />;
  if (hasRun) return <LiveEpisode tools={hide} />;
  return (
    <LevelPreview
      tools={hide}
      ownLevel={(level) => <OwnLevel {...level} />}
      turnFilm={(film) => <TurnFilm {...film} />}
    />
  );
}
