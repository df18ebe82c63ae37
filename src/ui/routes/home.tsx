// Home: an agent at work, the case studies, and the method explained on recorded episodes.
import { Suspense, useDeferredValue } from "react";
import { caseStudies } from "../../replay/case-studies.ts";
import { Skeleton } from "../components/controls.tsx";
import { CaseGrid } from "../home/case-grid.tsx";
import { Foot } from "../home/foot.tsx";
import { Hero } from "../home/hero.tsx";
import { useOnScreen } from "../home/use-on-screen.ts";
import { useAfterFirstPicture } from "../lib/first-picture.ts";
import { room } from "../lib/room.tsx";

const Method = room(() => import("../method/recorded-method.tsx"));

/** The case study that plays at once: every claim of its first episode is right, which shows what the parts of a reply are for. */
const HERO = "careful-reading";

export default function HomeRoute() {
  // Deferred: the picture goes on moving while the rest is rendered.
  const showsRest = useDeferredValue(useAfterFirstPicture());
  const hero = caseStudies.find(({ id }) => id === HERO);
  return (
    <div className="mx-auto flex w-full max-w-[1280px] flex-col gap-12 px-4 pt-4 pb-10 lg:px-8">
      {hero && <Hero study={hero} />}
      {showsRest ? (
        <>
          <CaseGrid />
          <MethodWhenNear />
          <Foot />
        </>
      ) : (
        <Skeleton
          what="Loading the case studies"
          count={4}
          className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4"
          item="h-64 rounded-lg"
        />
      )}
    </div>
  );
}

/** The method is long, and most of a visit happens above it. */
function MethodWhenNear() {
  const { ref, near } = useOnScreen<HTMLDivElement>();
  const waiting = (
    <Skeleton what="Loading the method" count={3} className="grid gap-4" item="h-64 rounded-lg" />
  );
  return (
    <div ref={ref}>
      {near ? (
        <Suspense fallback={waiting}>
          <Method />
        </Suspense>
      ) : (
        waiting
      )}
    </div>
  );
}
