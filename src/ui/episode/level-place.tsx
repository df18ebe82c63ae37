// The place of a level's picture until there is one: what is loaded, in the size of the picture.
import { type EnvLoad, envs, envTitle } from "../../envs/registry.ts";
import { Skeleton } from "../components/controls.tsx";
import { LoadBar } from "../components/load-bar.tsx";
import { PictureName } from "./picture-name.tsx";
import { PictureSwitch } from "./picture-switch.tsx";

interface LevelPlaceProps {
  env: { name: string; config: unknown };
  /** How far the environment is loaded where the level is drawn; undefined before that begins. */
  load: EnvLoad | undefined;
}

export function LevelPlace({ env, load }: LevelPlaceProps) {
  return (
    <div className="flex flex-col gap-3">
      {/* Most levels are there before this can be seen. */}
      <div className="transition-opacity delay-300 starting:opacity-0">
        <PictureName envId={env.name} truth={null} />
        <div style={{ aspectRatio: shapeOf(env) }}>
          {load?.state === "loading" ? (
            <LoadBar progress={load.progress} className="h-full" />
          ) : (
            <Skeleton
              what={`Drawing a level of ${envTitle(env.name)}`}
              count={1}
              className="h-full"
              item="h-full rounded-lg"
            />
          )}
        </div>
        {/* The caption. */}
        <div className="skeleton mt-1.5 h-8 rounded" />
      </div>
      <PictureSwitch />
    </div>
  );
}

/** Width over height of an environment's pictures; 1 where its options are not known to fit. */
export function shapeOf({ name, config }: LevelPlaceProps["env"]): number {
  const spec = envs.all.find(({ id }) => id === name);
  const options = spec?.config.safeParse(config);
  if (!spec || !options?.success) return 1;
  const { rows, cols } = spec.patches(options.data);
  return cols / rows;
}
