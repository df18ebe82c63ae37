// A drawing beside what it is to show, and where the two differ.
import { Fragment, lazy, Suspense, useContext, useMemo } from "react";
import type { Frame, WorldTruth } from "../../core/types.ts";
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
        {views.map((view) => (
          <View key={view.title} {...view} />
        ))}
      </div>
      <Measures facts={facts} />
      {withModels && views.length > 0 && (
        <Suspense>
          <ModelSimilarity icon={String(facts.icon)} drawing={String(facts.drawing)} />
        </Suspense>
      )}
    </div>
  );
}

/** A picture and below it its name, which may be wider. */
function View({ title, frame }: { title: string; frame: Frame }) {
  return (
    <figure className="m-0">
      <div className="relative overflow-hidden rounded-md border border-line">
        <FrameCanvas frame={frame} label={title} />
        {isBlank(frame) && (
          <span className="absolute inset-0 flex items-center justify-center text-caption text-[#16202b]">
            none
          </span>
        )}
      </div>
      <figcaption className="mt-0.5 flex justify-center text-caption whitespace-nowrap text-muted">
        {title}
      </figcaption>
    </figure>
  );
}

/** Whether nothing is drawn: the picture is white, in every theme. */
const isBlank = ({ data }: Frame): boolean => data.every((value) => value === 255);

/** The measures of a drawing, each with its name on one line. */
function Measures({ facts }: { facts: NonNullable<WorldTruth["facts"]> }) {
  const known = MEASURES.flatMap(([title, name]) => {
    const value = facts[name];
    return typeof value === "number" && Number.isFinite(value) ? [`${title} ${value.toFixed(2)}`] : [];
  });
  return (
    <p className="nums mt-1 text-caption">
      {known.map((text, i) => (
        <Fragment key={text}>
          {i > 0 && " · "}
          <span className="whitespace-nowrap">{text}</span>
        </Fragment>
      ))}
    </p>
  );
}

const ModelSimilarity = lazy(() => import("./model-similarity.tsx"));
