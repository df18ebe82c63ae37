// A drawing beside what it is to show, and where the two differ.
import { lazy, Suspense, useContext, useMemo } from "react";
import type { WorldTruth } from "../../core/types.ts";
import { envs } from "../../envs/registry.ts";
import { useEnvLoaded } from "../lib/use-env.ts";
import { FrameCanvas } from "./frame-canvas.tsx";
import { WithModels } from "./with-models.ts";

const DRAWINGS = "svg";

const MEASURES = [
  ["Similarity", "similarity"],
  ["MS-SSIM", "ms_ssim"],
  ["edges", "edges"],
  ["colour", "color"],
] as const;

interface DrawingComparisonProps {
  truth: WorldTruth;
  /** Which of several drawings it is, where a picture above does not say so. */
  title?: string;
}

export default function DrawingComparison({ truth, title }: DrawingComparisonProps) {
  const isReady = useEnvLoaded(DRAWINGS);
  const views = useMemo(() => (isReady ? (envs.get(DRAWINGS).views?.(truth) ?? []) : []), [isReady, truth]);
  const withModels = useContext(WithModels);
  const { facts } = truth;
  if (facts?.drawing === undefined) return null;
  return (
    <div className="mt-2" data-testid="comparison">
      {title && <h3 className="mb-1 text-caption font-semibold">{title}</h3>}
      <div className="grid grid-cols-3 gap-2">
        {views.map(({ title, frame }) => (
          <figure key={title} className="m-0">
            <div className="overflow-hidden rounded-md border border-line">
              <FrameCanvas frame={frame} label={title} />
            </div>
            <figcaption className="mt-0.5 text-caption text-muted">{title}</figcaption>
          </figure>
        ))}
      </div>
      <p className="nums mt-1 text-caption">
        {MEASURES.flatMap(([title, name]) => {
          const value = facts[name];
          return typeof value === "number" && Number.isFinite(value) ? `${title} ${value.toFixed(2)}` : [];
        }).join(" · ")}
      </p>
      {withModels && views.length > 0 && (
        <Suspense>
          <ModelSimilarity icon={String(facts.icon)} drawing={String(facts.drawing)} />
        </Suspense>
      )}
    </div>
  );
}

const ModelSimilarity = lazy(() => import("./model-similarity.tsx"));
