// Test aid and development tool: every state of the page at once, at `#/dev/gallery` while `npm start` serves it.
// States that could not be on one page together are inert markup; charts and the trace work.
import { type ReactNode, useEffect } from "react";
import { chartsToShow } from "../charts/catalog.ts";
import { ChartCard } from "../charts/chart-card.tsx";
import { COMPARED_LOOKS } from "../charts/compared.ts";
import { MarksLegend } from "../charts/marks-legend.tsx";
import { Skeleton } from "../components/controls.tsx";
import MethodSection from "../method/method-section.tsx";
import { LiveEpisode } from "../replay/live-episode.tsx";
import { ReplayPlayer } from "../replay/replay-player.tsx";
import { GpuCheckPanel } from "../shell/gpu-check.tsx";
import Notices from "../shell/notices.tsx";
import { RunStrip } from "../shell/run-strip.tsx";
import { LostRun, Offers, RunElsewhere } from "../shell/stored-runs.tsx";
import { runStore } from "../store/run-store.ts";
import { emptyView, hasEnded, type RunState } from "../store/run-view.ts";
import { TraceList } from "../trace/trace-list.tsx";
import { TraceView } from "../trace/trace-view.tsx";
import { CheckpointList } from "../train/checkpoints.tsx";
import { EventLog } from "../train/event-log.tsx";
import { Preparing } from "../train/preparing.tsx";
import { Summary } from "../train/summary.tsx";
import { Unsupported } from "../train/unsupported.tsx";
import { Welcome } from "../train/welcome.tsx";
import { fakeReplay } from "./fake-replay.ts";
import { fakeTrajectory } from "./fake-trajectory.ts";
import { CONFIG, GPU_CHECKS, NOTICES, RUN_STATES, STORED, WHOLE_RUN } from "./gallery-scenes.ts";
import { snapshot, viewOf } from "./snapshot.tsx";

const GPU = { available: true, reason: "", hint: "", device: null };
const NO_GPU = { ...GPU, available: false, reason: "This browser has no WebGPU.", hint: "Use another one." };
const ready = { probe: { state: "ready", gpu: GPU }, stored: [] } as const;

function StateOfRun({ state }: { state: RunState }) {
  return (
    <>
      <RunStrip onStop={() => {}} />
      <Notices />
      <div className="p-4">
        {state === "idle" && <Welcome />}
        {(state === "preparing" || state === "recovering") && <Preparing />}
        {hasEnded(state) && <Summary />}
        {state !== "idle" && <EventLog />}
        {state !== "idle" && <CheckpointList stored={[9, 8, 4]} />}
      </div>
    </>
  );
}

/** Rendered when the module is loaded: the stores change meanwhile, which no component may cause while it renders. */
const RUNS = Object.entries(RUN_STATES).map(([state, events]) => ({
  name: state,
  html: snapshot(<StateOfRun state={state as RunState} />, viewOf(events), ready),
}));
const NOTICED = [
  ...Object.entries(NOTICES).map(([name, { events = [], session }]) => ({
    name,
    html: snapshot(<Notices />, viewOf(events), { ...ready, ...session }),
  })),
  {
    name: "stored runs",
    html: snapshot(<Offers />, emptyView(), { ...ready, stored: STORED }),
  },
  {
    name: "a lost run",
    html: snapshot(<LostRun runId="lost" name="Lake" />, emptyView(), ready),
  },
  {
    name: "a run in another tab",
    html: snapshot(
      <RunElsewhere run={{ ...STORED[0]!, elsewhere: true }} shown={false} />,
      emptyView(),
      ready,
    ),
  },
  {
    name: "no WebGPU",
    html: snapshot(<Unsupported />, emptyView(), { probe: { state: "ready", gpu: NO_GPU } }),
  },
];
const CHECKED = Object.entries(GPU_CHECKS).map(([name, check]) => ({
  name,
  html: snapshot(<GpuCheckPanel check={check} />, emptyView(), ready),
}));
const SHOWN = viewOf(WHOLE_RUN);
/** A shorter run beside it. */
const COMPARED = [
  { ...COMPARED_LOOKS[0], label: "B: Lake again", view: viewOf(WHOLE_RUN.slice(0, WHOLE_RUN.length / 2)) },
];
const REPLAYED = {
  trajectory: fakeTrajectory({ id: "gallery-replay", seed: 5, skill: 0.4 }),
  envConfig: {},
  maxTurns: 5,
  title: "A careless policy",
};
const METHOD_EPISODE = fakeReplay({ id: "gallery-method", seed: 5, skill: 0.4 });
const METHOD = { episode: METHOD_EPISODE, formats: { grounding_worldmodeling: METHOD_EPISODE } };
runStore.setState(SHOWN, true);

export default function Gallery() {
  useEffect(() => {
    runStore.setState(SHOWN, true);
    return () => runStore.setState(emptyView(), true);
  }, []);
  const [stored] = SHOWN.trajectories;
  return (
    <div className="flex flex-col gap-8 p-4">
      <h1 className="text-h2 font-semibold">Gallery of states</h1>
      <Part title="States of a run">
        {RUNS.map((scene) => (
          <Scene key={scene.name} {...scene} />
        ))}
      </Part>
      <Part title="Notices">
        {NOTICED.map((scene) => (
          <Scene key={scene.name} {...scene} />
        ))}
      </Part>
      <Part title="Check of the GPU">
        {CHECKED.map((scene) => (
          <Scene key={scene.name} {...scene} />
        ))}
      </Part>
      <Part title="Charts">
        <Charts />
      </Part>
      <Part title="Waiting for data">
        <Skeleton what="Waiting" count={3} className="grid gap-3 sm:grid-cols-3" item="h-24 rounded-lg" />
      </Part>
      <Part title="An episode while training">
        <div className="max-w-[360px] border border-line">
          <LiveEpisode />
        </div>
      </Part>
      <Part title="A replay">
        <ReplayPlayer replay={REPLAYED} />
        <div className="max-w-[360px]">
          <ReplayPlayer replay={REPLAYED} compact reading="log" />
        </div>
      </Part>
      <Part title="The method">
        <MethodSection replays={METHOD} />
      </Part>
      <Part title="Traces">
        <TraceList />
      </Part>
      <Part title="A trace">{stored && <TraceView stored={stored} config={CONFIG} />}</Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3">
      <h2 className="text-lead font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Scene({ name, html }: { name: string; html: string }) {
  return (
    <figure className="m-0 min-w-0" data-testid={`scene-${name}`}>
      <figcaption className="mb-1 font-mono text-caption text-muted">{name}</figcaption>
      <div
        inert
        className="overflow-hidden rounded border border-line"
        // The strip sticks below the header, of which there is none within a scene.
        style={{ "--header-height": "0px" } as React.CSSProperties}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: markup that this module rendered
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </figure>
  );
}

/** The charts of both stages. */
function Charts() {
  const charts = chartsToShow(SHOWN.series, "ppo", 0.98).flatMap((section) => section.charts);
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <MarksLegend marks={SHOWN.marks} />
      </div>
      <div className="grid grid-cols-[repeat(auto-fill,340px)] gap-3">
        {charts.map((chart) => (
          <ChartCard
            key={chart.id}
            chart={chart}
            x="update"
            range="run"
            smoothing={null}
            compared={COMPARED}
            width={340}
            height={190}
            onOpen={() => {}}
          />
        ))}
      </div>
    </>
  );
}
