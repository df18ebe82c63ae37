// What an agent of SpatialGym reads and is shown of a scripted exploration, and that a teacher answers from it.
import { expect, test } from "vitest";
import { rng } from "../core/rng.ts";
import { loadEnv } from "../envs/index.ts";
import { chooseActions, writeReply } from "./demonstrate.ts";
import { compactView } from "./prompt.ts";
import { testTask } from "./test-task.ts";
import type { Vocabulary } from "./vocabulary.ts";

await loadEnv("spatial-gym");

const EXPERT = {
  randomFraction: 0,
  expertFraction: 1,
  format: "grounding_worldmodeling",
  turnsLeft: 1,
} as const;

/** What is left of a text whose tokens are read one by one: a character that is spelled, rather than part of a word, is lost. */
const inWords = (vocabulary: Vocabulary, text: string): string =>
  [...vocabulary.encode(text)].map((id) => vocabulary.decode([id])).join("");

test.each([
  [1, "vision"],
  [2, "vision"],
  [1, "text"],
  [2, "text"],
])(
  "a scripted exploration of rooms %i as %s is in the agent's words, and a teacher answers at once",
  (rooms, render_mode) => {
    for (const task of ["questions", "map"])
      for (let seed = 0; seed < 2; seed++) {
        const { spec, envConfig, vocabulary } = testTask(
          "spatial-gym",
          {},
          { task, rooms, render_mode, exp_type: "passive" },
        );
        const env = spec.create(envConfig);
        env.reset(seed);
        // The blank before the question is spelled.
        const view = compactView(env, envConfig).trimStart();
        expect(view.split("<image>")).toHaveLength(render_mode === "vision" ? 4 * rooms + 1 : 1);
        expect(inWords(vocabulary, view)).toBe(view);
        const actions = chooseActions(env, rng(seed), { ...EXPERT, envId: spec.id, maxActions: 3 });
        expect(actions).toEqual(env.oracle());
        const reply = writeReply(spec.id, env.groundTruth(), actions, "grounding_worldmodeling");
        expect(inWords(vocabulary, reply)).toBe(reply);
        expect(env.step(actions[0]!)).toMatchObject({ success: true });
      }
  },
);
