// Home: an agent at work, the case studies, and the method explained on recorded episodes.
import { Suspense, useDeferredValue } from "react";
import { firstCase } from "../../replay/first-case.ts";
import { Skeleton } from "../components/controls.tsx";
import { Foot } from "../home/foot.tsx";
import { Hero } from "../home/hero.tsx";
import { useOnScreen } from "../home/use-on-screen.ts";
import { useAfterFirstPicture } from "../lib/first-picture.ts";
import { room } from "../lib/room.tsx";

const CaseGrid = room(() => import("../home/case-grid.tsx"));
const LivePolicy = room(() => import("../home/live-policy.tsx"));
const Method = room(() => import("../method/recorded-method.tsx"));

export default function HomeRoute() {
  // Deferred: the picture goes on moving while the rest is rendered.
  const showsRest = useDeferredValue(useAfterFirstPicture());
  return (
    <div className="mx-auto flex w-full max-w-[1280px] flex-col gap-12 px-4 pt-4 pb-10 lg:px-8">
      <Hero study={firstCase} />
      {showsRest ? (
        <>
          <WhenNear what="Loading a level" items={1}>
            <LivePolicy />
          </WhenNear>
          {/* Without the cards above it, the method would be near, and load, at once. */}
          <Suspense fallback={<CardsToCome />}>
            <CaseGrid />
            <WhenNear what="Loading the method" items={3}>
              <Method />
            </WhenNear>
            <Foot />
          </Suspense>
        </>
      ) : (
        <CardsToCome />
      )}
    </div>
  );
}

const CardsToCome = () => (
  <Skeleton
    what="Loading the case studies"
    count={4}
    className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4"
    item="h-64 rounded-lg"
  />
);

/** Most of a visit happens above these parts, so their code waits until they are near. */
function WhenNear({ what, items, children }: { what: string; items: number; children: React.ReactNode }) {
  const { ref, near } = useOnScreen<HTMLDivElement>();
  const waiting = <Skeleton what={what} count={items} className="grid gap-4" item="h-64 rounded-lg" />;
  return <div ref={ref}>{near ? <Suspense fallback={waiting}>{children}</Suspense> : waiting}</div>;
}
