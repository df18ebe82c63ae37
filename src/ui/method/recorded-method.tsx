// The section on the recordings that ship with the studio.
import { useMemo } from "react";
import { caseStudies } from "../../replay/case-studies.ts";
import { METHOD_REPLAYS } from "../../replay/method-replays.ts";
import { Skeleton } from "../components/controls.tsx";
import { LoadFailure } from "../components/load-failure.tsx";
import { useReplays } from "../replay/load-replay.ts";
import MethodSection, { type MethodReplays } from "./method-section.tsx";

/** Loads the recordings and shows the method on them. */
export default function RecordedMethod() {
  const loading = useReplays(METHOD_REPLAYS);
  const recorded = loading.state === "ready" ? loading.replays : null;
  const replays = useMemo(() => recorded && byFormat(recorded), [recorded]);
  if (loading.state === "failed") return <LoadFailure what="A recording of the method" {...loading} />;
  if (!replays)
    return <Skeleton what="Loading the method" count={3} className="grid gap-4" item="h-64 rounded-lg" />;
  return <MethodSection replays={replays} cases={caseStudies} />;
}

/** The first recording is the episode; the others show the formats that their runs were trained with. */
export function byFormat([episode, ...others]: readonly MethodReplays["episode"][]): MethodReplays {
  const formats = others.map((replay) => [replay.config.rollout.prompt_format, replay] as const);
  return { episode: episode!, formats: Object.fromEntries(formats) };
}
