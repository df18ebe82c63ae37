// Test aid: an environment whose observations always have two pictures.
import type { Frame } from "../../core/types.ts";
import { defineEnv, type Env } from "../env.ts";
import { frozenlake } from "../frozenlake/index.ts";

const blank = ({ width, height }: Frame): Frame => ({
  width,
  height,
  data: new Uint8ClampedArray(width * height * 4).fill(200),
});

/** FrozenLake whose board is the second picture of every observation; in the first nothing can be seen. */
export const twoViews = defineEnv({
  ...frozenlake,
  id: "two-views",
  title: "Two views",
  mostPictures: () => 2,
  create(config, options): Env {
    const env = frozenlake.create(config, options);
    let [level, played]: [number, readonly string[]] = [0, []];
    const boardAfter = (seed: number, actions: readonly string[]): Env => {
      const copy = frozenlake.create(config, options);
      copy.reset(seed);
      for (const action of actions) copy.step(action);
      return copy;
    };
    return Object.assign(Object.create(env) as Env, {
      reset(seed: number) {
        env.reset(seed);
        [level, played] = [seed, []];
      },
      step(action: string) {
        played = [...played, action];
        return env.step(action);
      },
      render: (patchPx: number) => blank(env.render(patchPx)),
      furtherPictures() {
        const board = boardAfter(level, played);
        return [(patchPx: number) => board.render(patchPx)];
      },
    });
  },
});
