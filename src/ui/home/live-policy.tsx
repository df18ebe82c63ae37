// A policy plays live on the front page, on levels that it has never seen. WebGPU is not needed.
import { type ReactNode, useMemo, useState } from "react";
import { bundledForLevels } from "../../config/bundled.ts";
import type { Preset } from "../../config/presets.ts";
import { envs } from "../../envs/index.ts";
import { pictureLevel } from "../../envs/preview.ts";
import { Segmented, Skeleton } from "../components/controls.tsx";
import { usePresets } from "../configure/preset-picker.tsx";
import { EnvLoading } from "../episode/env-loading.tsx";
import { EnvPicture } from "../episode/env-picture.tsx";
import {
  filmOf,
  PlayControls,
  PlayedStrip,
  PlayedTurns,
  PolicyNotes,
  useShownTurn,
} from "../episode/policy-plays.tsx";
import { solutionText } from "../episode/solution.ts";
import { useLevelPlay } from "../episode/use-level-play.ts";
import { room } from "../lib/room.tsx";
import { useEnvLoad } from "../lib/use-env.ts";
import { NoFilm } from "../replay/no-film.tsx";
import { playablePresets, policySize, trainedLevels, unseenSeed } from "./live-levels.ts";

const TurnFilm = room(() => import("../replay/turn-film.tsx"), NoFilm);

export default function LivePolicy() {
  const presets = usePresets();
  const playable = useMemo(() => presets && playablePresets(presets), [presets]);
  return (
    <section aria-label="Let it play live">
      {playable ? (
        <Live playable={playable} />
      ) : (
        <Skeleton what="Loading a level" count={1} className="grid" item="h-96 rounded-lg" />
      )}
    </section>
  );
}

/** What is about to happen, and the level, on which the policy then plays. */
function Live({ playable }: { playable: readonly Preset[] }) {
  const [chosen, setChosen] = useState(0);
  const { config } = playable[chosen]!;
  const { env } = config;
  const [seed, setSeed] = useState(() => unseenSeed(config));
  const policies = useMemo(() => [bundledForLevels(env)].filter((one) => one !== null), [env]);
  const play = useLevelPlay({ run: config, env, seed, policies });
  const moment = useShownTurn(env, seed, play.shown?.turns, true);
  const showAnother = () => {
    const next = unseenSeed(config);
    setSeed(next);
    return next;
  };
  const choose = (index: number) => {
    setChosen(index);
    setSeed(unseenSeed(playable[index]!.config));
  };
  return (
    // On small screens the buttons stand below the level that they mean.
    <div className="card grid items-start gap-x-10 gap-y-4 p-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,280px)] sm:grid-rows-[auto_auto_1fr] lg:grid-cols-[minmax(0,1fr)_380px] lg:p-6">
      <div className="flex min-w-0 flex-col gap-4">
        <h2 className="text-h2 font-semibold">Let it play live</h2>
        <p className="max-w-[68ch] text-body text-muted">
          Nothing here is recorded: a trained policy plays a new level in your browser, with or without
          WebGPU. The first click loads ONNX Runtime (13.6 MiB) and the policy ({policySize(env)}); the
          browser keeps both for later visits. ONNX is a file format for neural networks.
        </p>
        <Segmented
          name="Environment"
          className="self-start"
          value={String(chosen)}
          choices={playable.map(({ config }, i) => ({
            value: String(i),
            label: envs.get(config.env.name).title,
          }))}
          onChange={(value) => choose(Number(value))}
        />
      </div>
      <div className="min-w-0 sm:col-start-2 sm:row-span-3 sm:row-start-1">
        <Level
          config={config}
          seed={seed}
          moment={moment}
          turns={<PlayedStrip moment={moment} play={play} />}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <PlayControls play={play} seed={seed} onAnotherLevel={showAnother} />
        <PolicyNotes play={play} />
      </div>
      {moment && <PlayedTurns moment={moment} play={play} />}
    </div>
  );
}

/** One picture: the level before the first turn, then the game after the turn on screen. */
function Level({
  config,
  seed,
  moment,
  turns,
}: {
  config: Preset["config"];
  seed: number;
  moment: ReturnType<typeof useShownTurn>;
  turns: ReactNode;
}) {
  const { env } = config;
  const load = useEnvLoad(env.name);
  const isReady = load.state === "ready";
  const { first, last } = useMemo(() => trainedLevels(config), [config]);
  const level = useMemo(
    () => (isReady ? pictureLevel(envs.get(env.name), env.config, seed) : null),
    [env, seed, isReady],
  );
  if (!level) return <EnvLoading id={env.name} load={load} className="aspect-square" />;
  const now = moment?.frame
    ? { frame: moment.frame, further: moment.further, seen: [], truth: moment.truth, title: moment.title }
    : { ...level, title: `${level.title}, level ${seed}` };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="text-dense font-semibold">{moment?.title ?? "Before the first turn"}</p>
      <EnvPicture
        envId={env.name}
        frame={now.frame}
        further={now.further}
        seen={now.seen}
        truth={now.truth}
        compared={moment?.compared}
        title={now.title}
        view="agent"
        turns={turns}
        moving={moment ? filmOf(moment, (film) => <TurnFilm {...film} />) : undefined}
      />
      <p className="text-caption text-muted">
        {`Level ${seed}; training used levels ${first} to ${last}.`} {solutionText(level, env)}
      </p>
    </div>
  );
}
