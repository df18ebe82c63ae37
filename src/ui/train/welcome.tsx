// Before the first run: what will happen, and where to begin.
import { Brain, Eye, FastForward, Footprints, Scale, TrendingUp } from "lucide-react";
import { useMemo } from "react";
import type { Preset } from "../../config/presets.ts";
import { envs } from "../../envs/index.ts";
import { pictureLevel } from "../../envs/preview.ts";
import { Skeleton } from "../components/controls.tsx";
import { NotLoaded } from "../components/not-loaded.tsx";
import { OpenFileCard } from "../configure/open-file.tsx";
import { presetOf, usePresets } from "../configure/preset-picker.tsx";
import { sentenceOf } from "../episode/describe-truth.ts";
import { FrameCanvas } from "../episode/frame-canvas.tsx";
import { useMissingCode } from "../lib/missing-code.ts";
import { useEnvLoaded } from "../lib/use-env.ts";
import { loadDraft, useDraft } from "../store/draft-store.ts";

const LOOP = [
  { icon: Eye, word: "Observe", text: "say what state the picture shows", color: "--observation" },
  { icon: Brain, word: "Reason", text: "weigh the facts", color: "--reasoning" },
  { icon: FastForward, word: "Predict", text: "say what comes next", color: "--prediction" },
  { icon: Footprints, word: "Act", text: "move in the world", color: "--action" },
  {
    icon: Scale,
    word: "Be judged",
    text: "rewarded for being right and for reaching the goal",
    color: "--environment",
  },
  {
    icon: TrendingUp,
    word: "Learn",
    text: "advantages flow back, turn by turn and token by token",
    color: "--accent",
  },
] as const;

export function Welcome() {
  return (
    <div className="flex flex-col gap-6 pb-6">
      <div className="max-w-[68ch]">
        <h2 className="text-h1 font-semibold">Train an agent that sees, thinks and acts</h2>
        <p className="mt-1 text-lead text-muted">
          A small vision-language policy learns by multi-turn reinforcement learning, here in this page, on
          your own GPU. Choose a preset and press Start training.
        </p>
      </div>
      <ol className="grid grid-cols-2 gap-2 xl:grid-cols-3" aria-label="How it learns">
        {LOOP.map(({ icon: Icon, word, text, color }, i) => (
          <li
            key={word}
            className="card flex gap-3 px-3 py-2.5 max-sm:flex-col max-sm:gap-1.5 sm:items-center"
          >
            <span
              className="flex size-9 flex-none items-center justify-center rounded-lg"
              style={{
                color: `var(${color})`,
                background: `color-mix(in oklab, var(${color}) 12%, var(--surface))`,
              }}
            >
              <Icon size={18} aria-hidden />
            </span>
            <span className="min-w-0">
              <span className="block text-dense font-semibold">
                {i + 1}. {word}
              </span>
              <span className="block text-caption text-muted">{text}</span>
            </span>
          </li>
        ))}
      </ol>
      <PresetCards />
    </div>
  );
}

/** Every preset with a level of its task, and a way to bring one's own configuration. */
export function PresetCards() {
  const presets = usePresets();
  const chosen = useDraft(presetOf);
  const isMissing = useMissingCode();
  if (!presets && isMissing) return <NotLoaded what="The presets" />;
  if (!presets)
    return (
      <Skeleton
        what="Loading the presets"
        count={4}
        className="grid gap-3 sm:grid-cols-2"
        item="h-28 rounded-lg"
      />
    );
  return (
    <section aria-label="Presets">
      <h2 className="mb-2 text-lead font-semibold">Where to begin</h2>
      <ul className="grid gap-3 sm:grid-cols-2">
        {presets.map((preset, i) => (
          <li key={preset.id}>
            <PresetCard preset={preset} chosen={preset.id === chosen} seed={i + 3} />
          </li>
        ))}
        <li>
          <OpenFileCard />
        </li>
      </ul>
    </section>
  );
}

function PresetCard({ preset, chosen, seed }: { preset: Preset; chosen: boolean; seed: number }) {
  const { name, config } = preset.config.env;
  const spec = envs.get(name);
  // Boards load in no time; a world takes longer, and its card has a stored picture.
  const isReady = useEnvLoaded(spec.isWorld ? null : name);
  const level = useMemo(
    () => (isReady ? pictureLevel(spec, config, seed) : null),
    [isReady, spec, config, seed],
  );
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={() => loadDraft(preset.config, preset.id)}
      className={`flex h-full w-full items-start gap-3 rounded-lg border p-3 text-left ${
        chosen ? "border-accent bg-accent-wash" : "border-line bg-surface hover:border-line-strong"
      }`}
    >
      <span className="w-20 flex-none overflow-hidden rounded-md border border-line">
        {level ? (
          <FrameCanvas frame={level.frame} label={`A level of ${level.title}`} />
        ) : !spec.isWorld ? (
          <span className="block aspect-square" />
        ) : (
          <img
            src={`worlds/${preset.id}.webp`}
            alt={`A level of ${spec.title}`}
            width={192}
            height={192}
            loading="lazy"
            className="block size-full"
          />
        )}
      </span>
      <span className="min-w-0">
        <span className="block text-body font-semibold">{preset.name}</span>
        <span className="block text-caption text-muted">{preset.description}</span>
        {level && sentenceOf(level.truth) && (
          <span className="mt-1 block text-caption font-semibold">{sentenceOf(level.truth)}</span>
        )}
        {preset.expectedTime && <span className="mt-1 block text-caption">{preset.expectedTime}</span>}
      </span>
    </button>
  );
}
