// A level of the configured task, before anything is trained: what the agent will see, and that it can be solved.
import { ChevronLeft, ChevronRight, Dices } from "lucide-react";
import { useMemo, useState } from "react";
import type { RunConfig } from "../../config/run-config.ts";
import { TRAIN_SEEDS } from "../../config/run-config.ts";
import { envs } from "../../envs/index.ts";
import { EmptyState, IconButton } from "../components/controls.tsx";
import { useDraft } from "../store/draft-store.ts";
import { useUi } from "../store/ui-store.ts";
import { EnvPicture } from "./env-picture.tsx";
import { PictureSwitch } from "./live-episode.tsx";
import { PEOPLE_TILE_PX } from "./replay-frames.ts";

/** Pixels of a tile in the picture that small policies see: one patch. */
const MODEL_TILE_PX = 8;

export function LevelPreview({ tools }: { tools?: React.ReactNode }) {
  const env = useDraft((state) => state.draft?.env);
  const [seed, setSeed] = useState<number>(TRAIN_SEEDS.first);
  if (!env) return <div className="skeleton m-4 h-80 rounded-lg" aria-busy="true" />;
  return (
    <section aria-label="Level preview" className="flex flex-col gap-3 p-4">
      <div className="flex items-center gap-1">
        <h2 className="text-lead font-semibold">Level</h2>
        <span className="flex-1" />
        <IconButton
          icon={ChevronLeft}
          name="Previous level"
          small
          onClick={() => setSeed(Math.max(0, seed - 1))}
        />
        <span className="nums min-w-12 text-center text-dense">{seed}</span>
        <IconButton icon={ChevronRight} name="Next level" small onClick={() => setSeed(seed + 1)} />
        <IconButton icon={Dices} name="A random training level" small onClick={() => setSeed(randomSeed())} />
        {tools}
      </div>
      <Level env={env} seed={seed} />
    </section>
  );
}

function Level({ env, seed }: { env: RunConfig["env"]; seed: number }) {
  const picture = useUi((ui) => ui.picture);
  const level = useMemo(() => buildLevel(env, seed), [env, seed]);
  if (!level.ok) return <EmptyState title="This level cannot be built">{level.reason}</EmptyState>;
  const { spec, frame, seen, truth, plan } = level;
  return (
    <>
      <EnvPicture
        frame={frame}
        seen={seen}
        truth={truth}
        title={`${spec.title}, level ${seed}`}
        view={picture}
      />
      <PictureSwitch />
      <div className="text-dense">
        <p className="mb-1 font-semibold">{spec.title}</p>
        <p className="text-muted">{spec.description}</p>
        <p className="mt-2">
          {plan === null
            ? "No solution is known for this level."
            : `A shortest solution takes ${plan.length} ${plan.length === 1 ? "move" : "moves"}. The agent is not told.`}
        </p>
      </div>
    </>
  );
}

/** A level and its pictures, or why there is none: options that are being edited may not allow any. */
export function buildLevel(env: RunConfig["env"], seed: number) {
  const spec = envs.all.find((known) => known.id === env.name);
  if (!spec) return { ok: false, reason: `There is no environment "${env.name}".` } as const;
  const config = spec.config.safeParse(env.config);
  if (!config.success)
    return { ok: false, reason: "The task options on the left need your attention." } as const;
  try {
    const game = spec.create(config.data);
    game.reset(seed);
    return {
      ok: true,
      spec,
      frame: game.render(PEOPLE_TILE_PX),
      seen: game.render(MODEL_TILE_PX),
      truth: game.groundTruth(),
      plan: game.oracle(),
    } as const;
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) } as const;
  }
}

/** Not for training: which level a person looks at need not be reproducible. */
function randomSeed(): number {
  const { first, last } = TRAIN_SEEDS;
  return first + Math.floor(Math.random() * (last - first + 1));
}
