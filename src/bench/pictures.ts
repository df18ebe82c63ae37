// `--pictures`: how many pictures of Navigation one core draws in a second, at the agent's size and at the page's.
import { drawHome } from "../envs/navigation/draw-home.ts";
import { FAMILIES } from "../envs/navigation/home.ts";
import { type Pose, tangentOf } from "../envs/navigation/pose.ts";
import { placeOf } from "../envs/navigation/tasks.ts";
import { draw } from "../envs/navigation/view.ts";
import { coreSeconds } from "./core-seconds.ts";
import { spread } from "./stats.ts";

/** Sides of the pictures in pixels: the agent's, and what people look at. */
const SIZES = [48, 64, 320] as const;
const HOMES = 40;
const ROUNDS = 9;
const FIELD_OF_VIEW = 100;

type Place = ReturnType<typeof placeOf>;

/** Draws `count` pictures of each size in every round and prints the medians; resolves to the exit code. */
export function picturesCommand(count: number, print: (text: string) => void): number {
  const places = Array.from({ length: HOMES }, (_, i) => placeOf(drawHome(FAMILIES[i % FAMILIES.length], i)));
  const poses = places.map(freePoses);
  for (const size of SIZES) {
    const rounds = Array.from({ length: ROUNDS }, () => drawRound(places, poses, size, count));
    const [wall, core] = (["wall", "core"] as const).map((key) => spread(rounds.map((round) => round[key])));
    print(
      `${size} × ${size} px: ${wall.median.toFixed(0)} pictures/s on the clock, ${core.median.toFixed(0)} per second of a core's time`,
    );
  }
  return 0;
}

/** Every free place of a home with a yaw and a tilt. */
function freePoses({ ground: { free, cols, x0, z0 } }: Place): Pose[] {
  return [...free.keys()]
    .filter((i) => free[i])
    .map((i) => ({
      x: (i % cols) + x0,
      z: Math.floor(i / cols) + z0,
      yaw: (i & 3) as Pose["yaw"],
      tilt: (i % 3) - 1,
    }));
}

/** Pictures per second: by the clock, and by the time that this process had a core. */
function drawRound(
  places: readonly Place[],
  poses: readonly (readonly Pose[])[],
  size: number,
  count: number,
): { wall: number; core: number } {
  const tangent = tangentOf(FIELD_OF_VIEW);
  const started = performance.now();
  const ofCore = coreSeconds(() => {
    for (let i = 0; i < count; i++) {
      const at = i % places.length;
      draw(places[at].home, poses[at][(i * 37) % poses[at].length], size, tangent);
    }
  });
  const seconds = (performance.now() - started) / 1000;
  return { wall: count / seconds, core: count / ofCore };
}
