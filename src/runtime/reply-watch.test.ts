import { expect, test } from "vitest";
import { RunConfig } from "../config/run-config.ts";
import { watchReplies } from "./reply-watch.ts";

const config = RunConfig.parse({ rollout: { response_length: 24 } });
const cut = (share: number) => ({ "response_length/clip_ratio": share });

test("a limit that cuts most replies is told of once, and again after replies had fitted", () => {
  const watch = watchReplies();
  expect(watch(cut(0.4), config, 1)).toEqual([]);
  expect(watch(cut(0.97), config, 2)).toMatchObject([
    {
      type: "warning",
      update: 2,
      code: "replies_cut",
      message: "97 % of the replies of update 2 reached the limit of 24 tokens (rollout.response_length).",
    },
  ]);
  expect(watch(cut(1), config, 3)).toEqual([]);
  expect(watch({}, config, 4)).toEqual([]);
  expect(watch(cut(0.1), config, 5)).toEqual([]);
  expect(watch(cut(0.5), config, 6)).toHaveLength(1);
});
