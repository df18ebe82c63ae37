// A case study for another page: the player and nothing around it.
import { ExternalLink, FileQuestion } from "lucide-react";
import { useMemo, useState, useSyncExternalStore } from "react";
import { caseStudies } from "../../replay/case-studies.ts";
import { namesMoment, readMoment } from "../../replay/moment.ts";
import type { CaseStudy, Replay } from "../../replay/replay.ts";
import { EmptyState } from "../components/controls.tsx";
import { LoadFailure } from "../components/load-failure.tsx";
import { RecordingLoading } from "../episode/env-loading.tsx";
import { readWatched } from "../replay/case-player.tsx";
import { useEmbedMessages } from "../replay/embed-messages.ts";
import { useReplays } from "../replay/load-replay.ts";
import { playedOf } from "../replay/played-of.ts";
import { ReplayPair } from "../replay/replay-pair.tsx";
import { ReplayPlayer } from "../replay/replay-player.tsx";
import { tokenEndsOfReplay } from "../trace/replay-token-ends.ts";

/** `embed.html#/<case>?turn=2&show=1&autoplay=1` */
export function Embed() {
  const hash = useSyncExternalStore(followHash, () => window.location.hash);
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const study = caseStudies.find(({ id }) => id === path);
  return (
    <main className="p-2">
      {study ? (
        <EmbeddedStudy key={hash} study={study} query={query} />
      ) : (
        <EmptyState icon={FileQuestion} title="There is no such case study">
          The address of this frame has to end in # and the name of a case study of this studio.
        </EmptyState>
      )}
    </main>
  );
}

function followHash(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
}

function EmbeddedStudy({ study, query }: { study: CaseStudy; query: string }) {
  const ids = useMemo(() => study.replays.map(({ id }) => id), [study]);
  const loading = useReplays(ids);
  if (loading.state === "loading") return <RecordingLoading env={study.env} className="h-80" />;
  if (loading.state === "failed") return <LoadFailure what="A replay" {...loading} />;
  return (
    <>
      <h1 className="visually-hidden">{study.title}</h1>
      <EmbeddedPlayer study={study} replays={loading.replays} query={query} />
      <p className="mt-2 text-caption text-muted">
        {study.title}.{" "}
        <a
          className="inline-flex items-center gap-1 underline underline-offset-2"
          href={`./#/replay/${encodeURIComponent(study.id)}`}
          target="_blank"
          rel="noreferrer"
        >
          Open in VAGEN Studio <ExternalLink size={12} aria-hidden />
        </a>
      </p>
    </>
  );
}

function EmbeddedPlayer({
  study,
  replays,
  query,
}: {
  study: CaseStudy;
  replays: readonly Replay[];
  query: string;
}) {
  const links = useEmbedMessages();
  const [{ watched, ...start }] = useState(() => {
    const params = new URLSearchParams(query);
    return {
      watched: readWatched(params.get("show"), replays.length),
      moment: readMoment(params),
      autoplay: params.get("autoplay") === "1" && !namesMoment(params),
    };
  });
  const played = useMemo(
    () => replays.map((replay, i) => playedOf(replay, study.replays[i]!.label, tokenEndsOfReplay(replay))),
    [replays, study],
  );
  const [a, b] = played;
  if (a && b && watched === "both") return <ReplayPair replays={[a, b]} {...start} {...links} />;
  return <ReplayPlayer replay={played[watched === "both" ? 0 : watched]!} {...start} {...links} />;
}
