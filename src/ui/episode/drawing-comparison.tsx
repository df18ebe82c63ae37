// A drawing beside what it is to show, and where the two differ.
import { Fragment, lazy, type ReactNode, Suspense, useContext, useMemo } from "react";
import type { Frame, SceneTruth } from "../../core/types.ts";
import type { Drawings } from "../../envs/env.ts";
import { useEnvLoaded } from "../lib/use-env.ts";
import { FrameCanvas } from "./frame-canvas.tsx";
import { WithModels } from "./with-models.ts";

interface DrawingComparisonProps {
  /** The environment of the state. */
  envId: string;
  drawings: Drawings;
  truth: SceneTruth;
  /** Which of several drawings it is, where a picture above does not say so. */
  title?: string;
  /** The drawing as it comes about, in place of its still picture, below a large picture of the icon. */
  moving?: ReactNode;
}

export default function DrawingComparison({ envId, drawings, truth, title, moving }: DrawingComparisonProps) {
  const isReady = useEnvLoaded(envId);
  const views = useMemo(() => (isReady ? drawings.views(truth) : []), [isReady, drawings, truth]);
  const withModels = useContext(WithModels);
  const codes = drawings.codes(truth);
  if (!codes) return null;
  return (
    <div className="mt-2" data-testid="comparison">
      {title && <h3 className="mb-1 text-caption font-semibold">{title}</h3>}
      {moving ? (
        <div className="grid grid-cols-2 gap-2">
          {views.slice(1).map((view, i) => (
            <View key={view.title} {...view}>
              {i === 0 && moving}
            </View>
          ))}
        </div>
      ) : (
        <div className="grid grid-cols-3 gap-2">
          {views.map((view) => (
            <View key={view.title} {...view} />
          ))}
        </div>
      )}
      <Measures measures={drawings.measures} facts={truth.facts ?? {}} />
      {withModels && views.length > 0 && (
        <Suspense>
          <ModelSimilarity {...codes} facts={truth.facts ?? {}} />
        </Suspense>
      )}
    </div>
  );
}

/** A picture, or `children` in its place, and below it its name, which may be wider. */
function View({ title, frame, children }: { title: string; frame: Frame; children?: ReactNode }) {
  return (
    <figure className="m-0">
      <div className="relative overflow-hidden rounded-md border border-line">
        {children || <FrameCanvas frame={frame} label={title} />}
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
function Measures({
  measures,
  facts,
}: Pick<Drawings, "measures"> & { facts: NonNullable<SceneTruth["facts"]> }) {
  const known = measures.flatMap(([title, name]) => {
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
