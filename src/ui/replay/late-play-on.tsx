// Playing on, whose code is loaded when a visitor asks for it: the front page watches first.
import { type ComponentProps, Suspense } from "react";
import { room } from "../lib/room.tsx";

const PlayOn = room(() => import("./play-on.tsx"));

/** `PlayOn`, and nothing until its code has arrived. */
export const LatePlayOn = (props: ComponentProps<typeof PlayOn>) => (
  <Suspense fallback={null}>
    <PlayOn {...props} />
  </Suspense>
);
