// A case study: what to look at, the replays, and where they come from.
import { ArrowLeft, ArrowRight, FileQuestion, ScanSearch } from "lucide-react";
import { useMemo, useState } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { envTitle } from "../../envs/index.ts";
import { caseStudies } from "../../replay/case-studies.ts";
import { type Moment, namesMoment, readMoment, writeMoment } from "../../replay/moment.ts";
import type { CaseStudy, Replay } from "../../replay/replay.ts";
import { Chip, EmptyState } from "../components/controls.tsx";
import { LoadFailure } from "../components/load-failure.tsx";
import { RecordingLoading } from "../episode/env-loading.tsx";
import { TrainThis } from "../home/train-this.tsx";
import { formatPercent } from "../lib/format.ts";
import { CasePlayer, readWatched } from "../replay/case-player.tsx";
import { useReplays } from "../replay/load-replay.ts";
import type { Watched } from "../replay/pair-moment.ts";
import type { Playback } from "../replay/playback.ts";
import type { TryAgain } from "../replay/try-again.tsx";
import { tokenEndsOfReplay } from "../trace/replay-token-ends.ts";
import { TokenHeat } from "../trace/token-heat.tsx";
import { whiteningText } from "../trace/whitening.ts";

export default function ReplayRoute() {
  const { case: id } = useParams();
  const study = caseStudies.find((known) => known.id === id);
  if (study) return <OneStudy key={study.id} study={study} />;
  return (
    <div className="m-auto">
      <h1 className="visually-hidden">Case study not found</h1>
      <EmptyState icon={FileQuestion} title="There is no such case study">
        <p className="mb-3">
          This build of the studio has no case study <code>{id}</code>.
        </p>
        <Link className="btn" to="/">
          Go to the front page
        </Link>
      </EmptyState>
    </div>
  );
}

function OneStudy({ study }: { study: CaseStudy }) {
  const ids = useMemo(() => study.replays.map(({ id }) => id), [study]);
  const loading = useReplays(ids);
  const [params] = useSearchParams();
  return (
    <div className="mx-auto flex w-full max-w-[1320px] flex-col gap-4 p-4 [--around:540px]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h1 className="text-h1 font-semibold">{study.title}</h1>
        <Chip>{envTitle(study.env)}</Chip>
      </div>
      <p className="max-w-[80ch] text-lead">{study.lookAt}</p>
      {loading.state === "loading" && <RecordingLoading env={study.env} className="h-96" />}
      {loading.state === "failed" && <LoadFailure what="A replay" {...loading} />}
      {loading.state === "ready" && (
        <>
          <Watching key={params.toString()} study={study} replays={loading.replays} />
          <div className="flex flex-wrap items-center gap-2">
            <TrainThis preset={study.preset} />
            <TraceLinks study={study} />
            <Link className="btn" to="/">
              All case studies
            </Link>
          </div>
          <Provenance study={study} replays={loading.replays} />
        </>
      )}
      <Neighbours study={study} />
    </div>
  );
}

function Watching({ study, replays }: { study: CaseStudy; replays: readonly Replay[] }) {
  const [params] = useSearchParams();
  const tokenEnds = useMemo(() => replays.map(tokenEndsOfReplay), [replays]);
  const [watched, setWatched] = useState<Watched>(() => readWatched(params.get("show"), replays.length));
  const [start] = useState(() => ({
    moment: params.size > 0 ? readMoment(params) : undefined,
    // A link to a moment opens paused.
    autoplay: !namesMoment(params),
  }));
  return (
    <CasePlayer
      {...{ study, replays, tokenEnds, watched, ...start }}
      onWatched={setWatched}
      tokenStripOf={tokenStripOf}
      tryAgainOf={tryAgainOf}
      addressOf={(moment, of) => addressOf(study, moment, of)}
    />
  );
}

function addressOf({ id }: CaseStudy, moment: Moment, watched: Watched): string {
  const params = writeMoment(moment);
  if (watched !== "both" && watched >= 0) params.set("show", String(watched + 1));
  const page = window.location.href.split("#")[0];
  return `${page}#/replay/${encodeURIComponent(id)}?${params}`;
}

const tokenStripOf = ({ config }: Replay) => {
  const whitening = whiteningText(config);
  return (playback: Playback) => <TokenHeat playback={playback} whitening={whitening} />;
};

/** The recording's own policy goes on, in ONNX Runtime, which is loaded for it. */
const tryAgainOf =
  (replay: Replay): TryAgain =>
  async (request) =>
    (await import("../session/onnx-player.ts")).tryAgain({ replay, ...request });

/** Where the recordings come from, so that they can be made again. */
function Provenance({ study, replays }: { study: CaseStudy; replays: readonly Replay[] }) {
  return (
    <details className="card p-3 text-dense">
      <summary className="font-semibold">Where these recordings come from</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        {replays.map((replay, i) => (
          <Origin key={replay.id} replay={replay} label={study.replays[i]!.label} />
        ))}
      </div>
    </details>
  );
}

/** To the recordings as traces. */
function TraceLinks({ study: { id, replays } }: { study: CaseStudy }) {
  return replays.map((replay, i) => (
    <Link key={replay.id} className="btn" to={`/replay/${id}/trace/${i + 1}`}>
      <ScanSearch size={15} aria-hidden /> {replay.label}, token by token
    </Link>
  ));
}

function Origin({ replay: { trajectory, provenance }, label }: { replay: Replay; label: string }) {
  const { policy, command, commit, update, temperature, success } = provenance;
  const facts: readonly (readonly [name: string, value: string])[] = [
    ["Policy", policy],
    ["PPO updates", String(update)],
    ["Level", String(trajectory.seed)],
    ["Temperature", temperature === 0 ? "0, greedy" : String(temperature)],
    ["Success of this policy", `${formatPercent(success.rate)} of ${success.episodes} validation levels`],
    ["Recorded with", command],
    ["Commit", commit],
  ];
  return (
    <section aria-label={label} className="min-w-0">
      <h2 className="mb-1 font-semibold">{label}</h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className={`break-words ${name === "Recorded with" ? "font-mono text-caption" : ""}`}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Neighbours({ study }: { study: CaseStudy }) {
  const at = caseStudies.indexOf(study);
  const [before, after] = [caseStudies[at - 1], caseStudies[at + 1]];
  return (
    <nav aria-label="Case studies" className="flex flex-wrap justify-between gap-2">
      {before ? (
        <Link className="btn max-w-full" to={`/replay/${before.id}`}>
          <ArrowLeft size={14} aria-hidden /> <span className="truncate">{before.title}</span>
        </Link>
      ) : (
        <span />
      )}
      {after && (
        <Link className="btn max-w-full" to={`/replay/${after.id}`}>
          <span className="truncate">{after.title}</span> <ArrowRight size={14} aria-hidden />
        </Link>
      )}
    </nav>
  );
}
