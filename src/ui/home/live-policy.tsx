// A policy plays live on the front page, on levels that it has never seen. WebGPU is not needed.
import { Dices } from "lucide-react";
import { useMemo, useState } from "react";
import type { Preset } from "../../config/presets.ts";
import { TRAIN_SEEDS } from "../../config/run-config.ts";
import { envs } from "../../envs/index.ts";
import { pictureLevel } from "../../envs/preview.ts";
import { Segmented, Skeleton } from "../components/controls.tsx";
import { usePresets } from "../configure/preset-picker.tsx";
import { EnvPicture } from "../episode/env-picture.tsx";
import PolicyPlays from "../episode/policy-plays.tsx";
import { counted } from "../lib/format.ts";

/** The presets whose levels a bundled policy plays. */
const PRESETS = ["frozenlake-nano", "sokoban-nano"];
/** How many levels there are to choose from. */
const UNSEEN = 80_000;

/** The seed of a level that is in no training set. */
const unseenSeed = () => TRAIN_SEEDS.last + 1 + Math.floor(Math.random() * UNSEEN);

export default function LivePolicy() {
  const presets = usePresets();
  const playable = useMemo(() => presets?.filter(({ id }) => PRESETS.includes(id)), [presets]);
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

/** What is about to happen, the level, and the policy that plays it. */
function Live({ playable }: { playable: readonly Preset[] }) {
  const [chosen, setChosen] = useState(0);
  const [seed, setSeed] = useState(unseenSeed);
  const { env } = playable[chosen]!.config;
  const showAnother = () => {
    const next = unseenSeed();
    setSeed(next);
    return next;
  };
  return (
    <div className="card grid items-start gap-x-8 gap-y-4 p-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,280px)] lg:grid-cols-[minmax(0,5fr)_320px_minmax(0,6fr)] lg:p-6">
      <div className="flex flex-col gap-4">
        <h2 className="text-h2 font-semibold">Let it play live</h2>
        <p className="text-body text-muted">
          Nothing here is recorded: a trained policy plays a new level in your browser, with or without
          WebGPU. The first click loads ONNX Runtime (13.6 MiB) and the policy (0.6 MiB); the browser keeps
          both for later visits.
        </p>
        <Segmented
          name="Environment"
          className="self-start"
          value={String(chosen)}
          choices={playable.map(({ config }, i) => ({
            value: String(i),
            label: envs.get(config.env.name).title,
          }))}
          onChange={(value) => setChosen(Number(value))}
        />
        <button type="button" className="btn btn-small self-start" onClick={showAnother}>
          <Dices size={14} aria-hidden /> New level
        </button>
      </div>
      <Level env={env} seed={seed} />
      <div className="min-w-0 max-w-[520px] sm:col-span-2 lg:col-span-1 [&>section]:border-t-0 [&>section]:pt-0">
        <PolicyPlays env={env} seed={seed} onAnotherLevel={showAnother} />
      </div>
    </div>
  );
}

function Level({ env, seed }: { env: Preset["config"]["env"]; seed: number }) {
  const level = useMemo(() => pictureLevel(envs.get(env.name), env.config, seed), [env, seed]);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <EnvPicture
        frame={level.frame}
        seen={level.seen}
        truth={level.truth}
        title={`${level.title}, level ${seed}`}
        view="agent"
      />
      <p className="text-caption text-muted">
        {`Level ${seed}; training used levels ${TRAIN_SEEDS.first} to ${TRAIN_SEEDS.last}.`}
        {level.moves !== null &&
          ` A shortest solution takes ${counted(level.moves, "move")}, which the agent does not see.`}
      </p>
    </div>
  );
}
