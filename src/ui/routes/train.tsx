// Train: configure on the left, charts in the middle, episodes on the right; tabs on small screens.
import * as Tabs from "@radix-ui/react-tabs";
import { PanelLeftOpen, PanelRightClose, PanelRightOpen } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { IconButton, Skeleton } from "../components/controls.tsx";
import { ConfigurePanel } from "../configure/configure-panel.tsx";
import { ExtensionDialog } from "../configure/extension-dialog.tsx";
import { StartBar } from "../configure/start-bar.tsx";
import { LevelPreview } from "../episode/level-preview.tsx";
import { room } from "../lib/room.tsx";
import { useEver } from "../lib/use-ever.ts";
import { LiveEpisode } from "../replay/live-episode.tsx";
import { Offers, StoredRunsButton } from "../shell/lazy-stored-runs.tsx";
import { useDraft } from "../store/draft-store.ts";
import { focusField } from "../store/form-store.ts";
import { useRun } from "../store/run-store.ts";
import { hasEnded } from "../store/run-view.ts";
import { canTrain, useSession } from "../store/session-store.ts";
import { setUi, type TrainTab, useUi } from "../store/ui-store.ts";
import { useUnsaved } from "../store/unsaved-run.ts";
import { Checkpoints } from "../train/checkpoints.tsx";
import { EventLog } from "../train/event-log.tsx";
import { Preparing } from "../train/preparing.tsx";
import { Summary } from "../train/summary.tsx";
import { UnderWay } from "../train/under-way.tsx";
import { Unsupported } from "../train/unsupported.tsx";
import { PresetCards, Welcome } from "../train/welcome.tsx";

const ChartPanel = room(() => import("../charts/chart-panel.tsx"));
const OwnLevel = room(() => import("../configure/level-preview-play.tsx"));

export default function TrainRoute() {
  const wide = useWide();
  return (
    <>
      <h1 className="visually-hidden">Train</h1>
      {/* Before the panels: when it closes, it gives the focus back, and then a panel may take it. */}
      <ExtensionDialog />
      {wide ? <Columns /> : <TabbedPanels />}
    </>
  );
}

/** From 1024 px on the three panels are side by side. */
function useWide(): boolean {
  const query = "(min-width: 1024px)";
  const [wide, setWide] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const onChange = () => setWide(media.matches);
    media.addEventListener("change", onChange);
    return () => media.removeEventListener("change", onChange);
  }, []);
  return wide;
}

function Columns() {
  const configureOpen = useUi((ui) => ui.configureOpen);
  const episodesOpen = useUi((ui) => ui.episodesOpen);
  return (
    // Tall notices above, such as several open alarms, must not squeeze the panels: then the whole room scrolls.
    <div className="mx-auto flex min-h-[60dvh] w-full max-w-[1760px] flex-1">
      {configureOpen ? (
        <div className="w-80 flex-none relative overflow-y-auto border-r border-line">
          <ConfigurePanel tools={<StoredRuns />} onHide={() => setUi({ configureOpen: false })} />
        </div>
      ) : (
        <Hidden icon={PanelLeftOpen} what="configuration" onShow={() => setUi({ configureOpen: true })} />
      )}
      <div className="min-w-0 flex-1 relative overflow-y-auto p-4">
        <Centre beginsWith={<Offered />} />
      </div>
      {episodesOpen ? (
        <div className="w-[360px] flex-none relative overflow-y-auto border-l border-line">
          <Episodes onHide={() => setUi({ episodesOpen: false })} />
        </div>
      ) : (
        <Hidden icon={PanelRightOpen} what="episodes" onShow={() => setUi({ episodesOpen: true })} />
      )}
    </div>
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

/** The newest stored run, and one that was lost. The code is loaded once there is one. */
function Offered() {
  const left = useUnsaved((unsaved) => unsaved.left !== null);
  const any = useEver(useSession(({ stored }) => stored.length > 0 || left));
  return any && <Offers />;
}

/** The edge that a hidden panel leaves. */
function Hidden(props: { icon: typeof PanelLeftOpen; what: string; onShow: () => void }) {
  return (
    <div className="flex-none border-line p-1.5 first:border-r last:border-l">
      <IconButton icon={props.icon} name={`Show the ${props.what}`} small onClick={props.onShow} />
    </div>
  );
}

const TABS: readonly { value: TrainTab; label: string }[] = [
  { value: "configure", label: "Configure" },
  { value: "charts", label: "Charts" },
  { value: "episodes", label: "Episodes" },
];

function TabbedPanels() {
  const tab = useUi((ui) => ui.trainTab);
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value) => setUi({ trainTab: value as TrainTab })}
      className="flex flex-1 flex-col"
    >
      <Tabs.List
        aria-label="Panels"
        className="sticky top-(--sticky-top) z-10 flex border-b border-line bg-surface px-2"
      >
        {TABS.map(({ value, label }) => (
          <Tabs.Trigger
            key={value}
            value={value}
            className="h-11 flex-1 border-b-2 border-transparent text-body text-muted data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-text"
          >
            {label}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value="configure" tabIndex={-1}>
        <ConfigurePanel tools={<StoredRuns />} beforeStart={<OfferedBelow />} />
      </Tabs.Content>
      <Tabs.Content value="charts" tabIndex={-1} className="flex-1 p-4">
        <Centre />
      </Tabs.Content>
      <Tabs.Content value="episodes" tabIndex={-1} className="flex-1">
        <Episodes />
      </Tabs.Content>
      {tab !== "configure" && <StartBelow />}
    </Tabs.Root>
  );
}

/** Start is in the configuration panel; where that is behind a tab, Start is also below the others. */
function StartBelow() {
  const idle = useRun((view) => view.state === "idle");
  if (!idle) return null;
  return (
    <div className="sticky bottom-0 z-10 flex flex-col gap-2 border-t border-line bg-panel px-4 py-3 empty:hidden">
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
  return <LevelPreview tools={hide} ownLevel={(level) => <OwnLevel {...level} />} />;
}
