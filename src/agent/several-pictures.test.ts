// Observations of two pictures, from the prompt to the record: a marker and its tokens for each picture, and every picture in the request.
import { expect, test } from "vitest";
import { loadEnv } from "../envs/index.ts";
import type { Completion, GenerateRequest, Policy } from "../policy/policy.ts";
import { compactRollout } from "./compact/rollout.ts";
import { Contexts } from "./contexts.ts";
import { trainingEpisodes } from "./episodes.ts";
import type { Compact } from "./layout.ts";
import { rollout } from "./rollout.ts";
import type { Task } from "./task.ts";
import { testTask } from "./test-task.ts";

await loadEnv("svg");

const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 200, seed: 3 };
const episodes = trainingEpisodes({ seeds: [5], runSeed: 1, update: 1, count: 1, perLevel: 1 });

const answer = (fill: string) =>
  `<answer><svg viewBox="0 0 64 64"><rect x="8" y="8" width="8" height="8" fill="${fill}"/></svg></answer><eos>`;
const REPLIES = [answer("red"), "no drawing<eos>", answer("blue"), answer("green")];

const taskOf = (config: object = {}, overrides: Partial<Task> = {}) =>
  testTask(
    "svg",
    { format: "no_think", maxTurns: REPLIES.length, ...overrides },
    { resolution: 32, ...config },
  );

/** Writes the replies, a summary where one is asked for, and keeps what it was asked. */
function recorder({ vocabulary }: Task): Policy & { asked: GenerateRequest[] } {
  const asked: GenerateRequest[] = [];
  let turn = 0;
  const complete = (text: string): Completion => {
    const ids = vocabulary.encode(text);
    return { ids, logprobs: new Float32Array(ids.length) };
  };
  return {
    kind: "scripted",
    asked,
    begin: () => undefined,
    async generate(requests) {
      asked.push(...requests);
      return requests.map(({ asksSummary }) => complete(asksSummary ? "done<eos>" : REPLIES[turn++]!));
    },
  };
}

const markersIn = (text: string) => text.split("<image>").length - 1;
const imagesIn = ({ vocabulary }: Task, ids: Int32Array, own?: Uint8Array) =>
  ids.filter((id, t) => id === vocabulary.image && !own?.[t]).length;

/** Plays the episode; checks that each request has the tokens of its pictures, and the record those of its turns. */
async function played(task: Task, play: (policy: Policy) => ReturnType<typeof rollout>) {
  const policy = recorder(task);
  const [trajectory] = await play(policy);
  for (const { promptIds, responseMask, images } of policy.asked)
    expect(imagesIn(task, promptIds, responseMask)).toBe(images.length * task.imageTokens);
  const { turns, tokens } = trajectory!;
  for (const { observation } of turns) expect(markersIn(observation.text)).toBe(observation.images.length);
  expect(turns.map(({ observation }) => observation.images.length)).toEqual([1, 2, 2, 2]);
  return { asked: policy.asked, turns, tokens };
}

test("each later turn has the tokens of both pictures, one after another", async () => {
  const task = taskOf({ show_target: true });
  const { asked, turns, tokens } = await played(task, (policy) =>
    rollout({ task, policy, episodes, sampling }),
  );
  expect(turns.map(({ observation }) => observation.text)).toEqual([
    "turn 1<image>",
    "turn 2 after a drawing<image><image>",
    "turn 3 after nothing<image><image>",
    "turn 4 after a drawing<image><image>",
  ]);
  expect(asked.map(({ images }) => images.length)).toEqual([1, 2, 2, 2]);
  const patches = tokens.imagePatch.filter((patch) => patch >= 0);
  expect([...patches]).toEqual(Array.from({ length: 7 * task.imageTokens }, (_, i) => i));
  // The icon is the first picture, and the second from then on; the drawing is what changes.
  const [[icon], ...later] = turns.map(({ observation }) => observation.images);
  for (const [drawing, again] of later) {
    expect(again).toEqual(icon);
    expect(drawing).not.toEqual(icon);
  }
  expect(later[0]![0]).toEqual(later[1]![0]);
  expect(later[1]![0]).not.toEqual(later[2]![0]);
});

test("the option adds one picture's tokens to every later turn, and nothing else", async () => {
  const [without, withIcon] = await Promise.all(
    [taskOf(), taskOf({ show_target: true })].map(async (task) => {
      const [{ tokens }] = await rollout({ task, policy: recorder(task), episodes, sampling });
      return { task, ids: tokens.ids };
    }),
  );
  const { image } = without!.task.vocabulary;
  expect(withIcon!.ids.length - without!.ids.length).toBe(3 * withIcon!.task.imageTokens);
  const words = (ids: Int32Array) => [...ids].filter((id) => id !== image);
  expect(words(withIcon!.ids)).toEqual(words(without!.ids));
});

test("a fresh context shows every picture of the turns that it holds", async () => {
  const layout = { kind: "no_concat", historyTurns: 1 } as const;
  const task = taskOf({ show_target: true }, { layout });
  const { asked, turns } = await played(task, (policy) => rollout({ task, policy, episodes, sampling }));
  const shown = turns.map(({ observation }) => observation.images);
  expect(asked.map(({ images }) => images)).toEqual([
    shown[0],
    [...shown[0]!, ...shown[1]!],
    [...shown[1]!, ...shown[2]!],
    [...shown[2]!, ...shown[3]!],
  ]);
});

test("a conversation that is read again has every picture", async () => {
  const task = taskOf({ show_target: true });
  let shown = 0;
  const { asked, turns } = await played(task, (policy) => {
    const contexts = new Contexts(policy);
    const forgetful: Policy = {
      kind: "scripted",
      begin: (count) => contexts.begin(count),
      generate(requests, ...rest) {
        if (shown++ === 2) contexts.begin(1);
        return contexts.generate(requests, ...rest);
      },
    };
    return rollout({ task, policy: forgetful, episodes, sampling });
  });
  expect(asked[2]!.images).toEqual(turns.slice(0, 3).flatMap(({ observation }) => observation.images));
});

test("a conversation that follows a summary shows both pictures", async () => {
  const layout: Compact = {
    kind: "compact",
    budget: 60,
    room: Number.POSITIVE_INFINITY,
    maxReply: 200,
    maxSummary: 8,
  };
  const task = taskOf({ show_target: true }, { layout });
  const { asked, tokens } = await played(task, (policy) =>
    compactRollout({ task, policy, episodes, sampling, layout }),
  );
  expect(tokens.sequences!.length).toBeGreaterThan(1);
  expect(asked.filter(({ asksSummary }) => asksSummary).length).toBe(tokens.sequences!.length - 1);
});

test("as text, a state has the icon and the drawing with or without the option", async () => {
  const texts = await Promise.all(
    [false, true].map(async (show_target) => {
      const task = taskOf({ show_target, render_mode: "text" });
      const [{ turns }] = await rollout({ task, policy: recorder(task), episodes, sampling });
      for (const { observation } of turns) expect(observation.images).toEqual([]);
      return turns.map(({ observation }) => observation.text);
    }),
  );
  expect(texts[0]).toEqual(texts[1]);
  expect(texts[0]![1]).not.toContain("<image>");
});
