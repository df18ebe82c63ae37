import { expect, test } from "vitest";
import { PROMPT_FORMATS } from "../config/run-config.ts";
import type { GroundTruth } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { judgeByRule } from "../judge/rule.ts";
import { claimsOf } from "./claims.ts";
import { formatInstruction, observationPrompt, promptIds, systemPrompt } from "./prompt.ts";
import { parseReply } from "./reply.ts";
import { createVocabulary } from "./vocabulary.ts";

const vocabulary = createVocabulary();
const lake = envs.get("frozenlake");
const options = { format: "grounding_worldmodeling", maxActions: 5 } as const;

test("the compact prompt costs a handful of tokens beside the picture", () => {
  const ask = { envId: "frozenlake", format: "grounding_worldmodeling", imageTokens: 16 } as const;
  const first = promptIds(vocabulary, { ...ask, turn: 0, observation: "turn 1<image>" });
  const later = promptIds(vocabulary, { ...ask, turn: 1, observation: "turn 2 after Right<image>" });
  expect(first).toHaveLength(6 + 16);
  expect(later).toHaveLength(5 + 16);
  expect(first.filter((id) => id === vocabulary.image)).toHaveLength(16);
  expect(vocabulary.decode(first)).toMatch(
    /^<bos>FrozenLake grounding_worldmodeling<user>turn 1(<image>)+<assistant>$/,
  );
});

test("the long instruction names limit, parts, state rules and skeleton in this order", () => {
  const text = formatInstruction(lake, options);
  const marks = [
    "at most 5 actions",
    'separated by ","',
    "Write what state you see",
    "Inside <observation>",
    "Inside <prediction>",
    "count from 0",
    "<think><observation>…",
  ];
  const places = marks.map((mark) => text.indexOf(mark));
  expect(places.every((place) => place >= 0)).toBe(true);
  expect([...places].sort((a, b) => a - b)).toEqual(places);
});

test.each(PROMPT_FORMATS)(
  "the worked example of the long %s prompt is well-formed and readable",
  (format) => {
    for (const spec of envs.all) {
      const example = systemPrompt(spec, { ...options, format }).split("For example: ")[1];
      const parsed = parseReply(example, { format, actions: spec.actions, maxActions: 5 });
      expect(parsed).toMatchObject({ formatOk: true, reason: "" });
      const { observation } = claimsOf(spec, format);
      if (observation.length === 0) continue;
      const truth = {
        rows: 6,
        cols: 6,
        player: [0, 2],
        entities: { goal: [[1, 2]], box: [[1, 2]], target: [[2, 2]] },
      } as const;
      const verdict = judgeByRule({
        claim: "observation",
        text: parsed.observation,
        truth,
        names: observation,
      });
      expect(verdict.status).toBe("match");
    }
  },
);

test.each([
  ["structured", "as a dictionary, [row, column] by name", '<observation>{"player": ['],
  ["symbolic", "draw the board with the symbols of the text form", "_"],
] as const)(
  "the long prompt explains the %s representation and shows it on a level",
  (stateFormat, rule, mark) => {
    for (const spec of envs.all.filter(({ claims }) => claims.length > 0)) {
      const prompt = systemPrompt(spec, { ...options, stateFormat });
      expect(prompt).toContain(rule);
      const example = prompt.split("For example: ")[1];
      expect(example).toContain(mark);
      const env = spec.create(spec.config.parse({}));
      env.reset(0);
      const judged = (text: string, claim: "observation" | "prediction") =>
        judgeByRule({
          claim,
          text,
          truth: env.groundTruth() as GroundTruth,
          names: claimsOf(spec, "grounding_worldmodeling", stateFormat)[claim],
        });
      const parsed = parseReply(example, { ...options, actions: spec.actions });
      expect(parsed.formatOk).toBe(true);
      expect(judged(parsed.observation, "observation").status).toBe("match");
      env.step(parsed.actions[0]);
      expect(judged(parsed.prediction, "prediction").status).toBe("match");
    }
  },
);

test("the example's board is as large as the run's", () => {
  const envConfig = lake.config.parse({ size: 6 });
  const prompt = systemPrompt(lake, { ...options, stateFormat: "symbolic", envConfig });
  expect(prompt).toMatch(/<observation>([^\n<]{6}\n){5}[^\n<]{6}<\/observation>/);
});

test("a later observation echoes actions and says why one did nothing", () => {
  const executed = [
    { name: "Left", valid: true, effective: false, note: "blocked by the edge of the lake" },
    { name: "Foo", valid: false, effective: false, note: 'unknown action "Foo"' },
  ];
  const text = observationPrompt(lake, options, { turn: 1, executed, board: "<image>" });
  expect(text).toContain(
    "Actions executed: Left.\nLeft: blocked by the edge of the lake.\nFoo: unknown action",
  );
  expect(text.split("<image>")).toHaveLength(2);
  expect(observationPrompt(lake, options, { turn: 0, executed: [], board: "<image>" })).toContain(
    "initial state",
  );
});

test("a prompt for one action per turn does not speak of separators", () => {
  expect(formatInstruction(lake, { ...options, maxActions: 1 })).toMatch(
    /^Give at most 1 action per turn\.\n/,
  );
});
