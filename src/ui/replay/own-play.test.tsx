// A person's own game in every environment.
import { renderToStaticMarkup } from "react-dom/server";
import { prerender } from "react-dom/static";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listed } from "../../core/format.ts";
import type { WorldTruth } from "../../core/types.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { standIn } from "../../extension/described.ts";
import { environmentsIn, replaceExtensions, tried } from "../../extension/index.ts";
import { OwnEnvPlayer } from "../../worker/own-env-client.ts";
import { ownEnvWorker } from "../testing/own-env-worker.ts";
import { readOwnAction } from "./own-action.ts";
import { OwnEnvGame } from "./own-env-game.ts";
import { type Game, OwnGame } from "./own-game.ts";
import { OwnPlay } from "./own-play.tsx";
import { GAMES } from "./page-keys.ts";

await Promise.all(envs.ids.map(loadEnv));
const builtIn = [...envs.ids];

/** Whether "break it" fails. */
let isBroken = false;
/** A walk along a line, with ten actions. */
const mine = {
  id: "mine",
  rows: 2,
  cols: 4,
  actions: ["On", "Back", "break it", "d", "e", "f", "g", "h", "i", "j"],
  things: {
    goal: { color: "#0a7a3c", shape: "square", symbol: "G" },
    player: { color: "#c62f3b", shape: "disc", symbol: "P" },
  },
  claims: ["goal"],
  start: (random: { int(n: number): number }) => ({ col: 0, goal: 3, row: random.int(2) }),
  step(state: { col: number; goal: number }, action: string) {
    if (isBroken && action === "break it") throw new Error("a mistake");
    const col = action === "On" ? state.col + 1 : Math.max(0, state.col - 1);
    return { state: { ...state, col }, reward: 0.25, success: col === state.goal };
  },
  where: ({ col, goal, row }: { col: number; goal: number; row: number }) => ({
    player: [row, col],
    goal: [row, goal],
  }),
};
const extension = {
  name: "mine",
  factory: (api: { environment(own: unknown): void }) => api.environment(mine),
};
/** As the page does, which runs none of its code. */
const install = () => replaceExtensions([standIn("mine", tried(extension).members)]);

/** The worker that plays it. */
const workerHere = () => ownEnvWorker(extension);

type Worker = Omit<ReturnType<typeof workerHere>, "postMessage"> & { postMessage(message: unknown): void };

/** Level 5 of the environment, played in `start`'s workers. */
function ownLevel(start: () => Worker = workerHere) {
  const own = { extension: { name: "mine", source: "" }, envId: "mine", envConfig: {} };
  return OwnEnvGame.ofLevel("mine", {}, 5, 20, new OwnEnvPlayer(own, start));
}

afterEach(() => {
  isBroken = false;
  replaceExtensions([]);
});

const levelOf = (envId: string, seed = 5) => new OwnGame({ envId, seed, turns: [] }, {}, 0, 20);
const played = (game: Game) => (
  <OwnPlay game={game} from="level 5" backTo="Stop playing" onBack={() => undefined}>
    You play level 5.
  </OwnPlay>
);
const shown = (game: Game) => renderToStaticMarkup(played(game));

describe("a level from its beginning", () => {
  it.each(builtIn)("is solved in %s by a known plan, and pays its rewards", (id) => {
    const game = levelOf(id);
    const { spec, position } = game;
    expect(position).toMatchObject({ moves: [], reward: 0, ended: "" });
    const env = spec.create(spec.config.parse({}));
    env.reset(5);
    let paid = 0;
    for (const action of env.oracle() ?? []) {
      paid += env.step(action).reward;
      game.play(action);
    }
    expect(game.position.reward).toBeCloseTo(paid);
    if (spec.hasChance?.(spec.config.parse({}))) return;
    expect(game.position.ended).toBe("success");
    expect(shown(game)).toMatch(/You solved it in \d+ (action|answer|drawing)s?, with a reward of/);
    const last = game.position.moves.at(-1)!.name;
    game.undo();
    expect(game.position.ended).toBe("");
    game.play(last);
    expect(game.position.ended).toBe("success");
  });
  it.each(builtIn)("of %s shows picture, actions and outcome", (id) => {
    const html = shown(levelOf(id));
    expect(html).toContain('aria-label="You play, level 5.');
    expect(html).toMatch(/No (action|answer|drawing) yet\./);
    expect(html).toContain("Start again");
    expect(html).toMatch(/aria-label="Actions"|Your (action|answer|drawing)/);
  });
  it("has page-wide keys only in a player: beside a form or a chart, the arrow keys scroll the page", () => {
    // `GAMES`, the selector of the games with such keys, needs both.
    const html = shown(levelOf("frozenlake"));
    expect(html).toContain("data-own-keys");
    expect(html).not.toContain("data-page-keys");
    expect(GAMES).toBe("[data-page-keys] [data-own-keys]");
  });
  it("does not cover the picture", () => {
    const html = shown(levelOf("frozenlake"));
    const picture = /<div role="group"[^>]*>(.*?)<\/div>/s.exec(html)![1];
    expect(picture).toContain("<canvas");
    expect(picture).not.toContain("You play<");
    expect(html).toContain("You play<");
  });
});

describe("the actions of a game", () => {
  it("are written, with the examples as buttons, where they have arguments", () => {
    const html = shown(levelOf("primitive-skill"));
    expect(html).toMatch(
      /<label[^>]*for="([^"]+)"[^>]*>Your (?:action|answer|drawing)<\/label>.*<textarea[^>]*id="\1"/s,
    );
    const game = levelOf("primitive-skill");
    const examples = game.spec.examplesIn!(game.position.state.truth);
    expect(examples).not.toEqual(game.spec.actions);
    for (const example of examples) expect(html).toContain(`title="Write ${example} into the field"`);
    expect(html).not.toContain('aria-label="Actions"');
    expect(html).not.toContain("arrow keys");
  });
  it("are buttons where they have none, however the environment reads them", () => {
    for (const id of ["navigation", "blackjack", "frozenlake"]) {
      const html = shown(levelOf(id));
      for (const name of envs.get(id).actions) expect(html).toContain(`${name}</button>`);
      expect(html).not.toContain("<textarea");
    }
    expect(shown(levelOf("navigation"))).toContain("arrow keys");
  });
  it("are written without examples where they are numbers, which are named", () => {
    const html = shown(levelOf("visual-math"));
    expect(html).toContain("Your answer");
    expect(html).toContain(">Answer</button>");
    expect(html).not.toContain("Examples");
    expect(html).toMatch(/>Write a whole number from 0 to \d+\.<\/p>/);
  });
});

describe("the help for the actions", () => {
  it.each(builtIn)("is there in %s, before the first one", (id) => {
    expect(envs.get(id).playHelp?.actions).toMatch(/\.$/);
    expect(shown(levelOf(id))).toContain(envs.get(id).playHelp!.actions);
  });
  it("names the keys, where there are any", () => {
    expect(shown(levelOf("sokoban"))).toContain("The arrow keys move, too.");
    expect(shown(levelOf("navigation"))).toContain(
      "Keys: ↑ move_forward, ↓ move_backward, ← turn_left, → turn_right.",
    );
    expect(shown(levelOf("blackjack"))).not.toMatch(/arrow keys|Keys:/);
  });
  it.each(["primitive-skill", "spatial-gym"])("has examples in %s that the game takes", (id) => {
    const { spec, position } = levelOf(id);
    for (const example of spec.examplesIn!(position.state.truth)) {
      const game = levelOf(id);
      expect(spec.readAction!(example)).toBe(example);
      game.play(example);
      expect(game.position.moves).toHaveLength(1);
    }
  });
  it("has no example that picks what the fingers hold", () => {
    const game = levelOf("primitive-skill");
    const [pick] = game.spec.examplesIn!(game.position.state.truth);
    game.play(pick!);
    const { truth } = game.position.state;
    expect(truth.facts!.held).not.toBe("");
    const [x, y, z] = /-?\d+,-?\d+,-?\d+/.exec(game.spec.examplesIn!(truth)[0]!)![0].split(",").map(Number);
    const lying = (truth as WorldTruth).things.find(({ at }) => `${at}` === `${[x, y, z]}`);
    expect(lying?.name).toMatch(/cube/);
    expect(lying?.name).not.toBe(truth.facts!.held);
  });
  it("has examples that name objects of the level, and an answer to its question", () => {
    const { spec, position } = levelOf("spatial-gym");
    const { question, options } = position.state.truth.facts!;
    const examples = spec.examplesIn!(position.state.truth);
    const [, object] = /JumpTo\((\w+)\)/.exec(examples.join())!;
    expect(position.question.toLowerCase()).toContain(object);
    expect(question).toEqual(expect.any(String));
    const answers = String(options)
      .split(" ")
      .map((word) => `Answer(${word})`);
    expect(answers.length).toBeGreaterThan(1);
    expect(examples).toEqual(expect.arrayContaining(answers));
    // So does what is said of an answer that is none.
    expect(readOwnAction(spec, "Answer(yes)", position.state.truth)).toEqual({
      problem: expect.stringContaining(`write ${listed(answers, "or")}.`),
    });
  });
});

it("says what an action lost, and why", () => {
  const game = levelOf("spatial-gym");
  game.play("Observe()");
  expect(shown(game)).toContain("The last action paid −0.1. Every Observe() costs something.");
  const free = levelOf("frozenlake");
  free.play("Up");
  expect(shown(free)).not.toContain("The last action paid");
});

it("says that a hand was won, because chance decides it", () => {
  for (let seed = 1; ; seed++) {
    const game = levelOf("blackjack", seed);
    game.play("Stand");
    if (game.position.ended !== "success") continue;
    expect(shown(game)).toContain("You won in 1 action, with a reward of +1.");
    return;
  }
});

it("calls a hand that nobody won a tie", () => {
  const ended = (note: RegExp) => {
    for (let seed = 1; ; seed++) {
      const game = levelOf("blackjack", seed);
      game.play("Stand");
      if (note.test(game.position.moves[0]!.note)) return shown(game);
    }
  };
  const tie = ended(/^the dealer has/);
  expect(tie).toMatch(/Tie after 1 action, with a reward of 0: the dealer has \d\d, too\./);
  expect(tie).not.toContain("text-danger");
  expect(ended(/beats/)).toMatch(/text-danger">The game is over after 1 action/);
});

it("shows a person what the agent reads besides the task, such as where cubes lie", () => {
  const toldMore = builtIn.filter((id) => shown(levelOf(id)).includes("The agent reads:"));
  expect(toldMore).toEqual(["primitive-skill"]);
  expect(shown(levelOf("primitive-skill"))).toMatch(/The agent reads: .*\(-?\d+,-?\d+,-?\d+\)/);
});

describe("an environment of one's own", () => {
  it("is played by buttons, also with more than eight actions", async () => {
    install();
    const html = shown(await ownLevel());
    for (const name of mine.actions) expect(html).toContain(`${name}</button>`);
  });
  it("goes on as before after a step that fails", async () => {
    install();
    const game = await ownLevel();
    await Promise.all([game.play("On"), game.play("On")]);
    const before = game.position;
    isBroken = true;
    await expect(game.play("break it")).rejects.toThrow(/a mistake/);
    expect(game.position).toBe(before);
    await game.play("On");
    expect(game.position).toMatchObject({ ended: "success" });
    expect(game.position.reward).toBeCloseTo(3 * 0.25 + 1);
  });
  it("plays moves in the order in which they were made, and goes back without asking the worker", async () => {
    install();
    const worker = workerHere();
    const game = await ownLevel(() => worker);
    const first = game.position;
    const moves = [game.play("On"), game.play("Back"), game.undo(), game.play("On")];
    expect(game.position).toBe(first);
    await Promise.all(moves);
    expect(game.position.moves.map(({ name }) => name)).toEqual(["On", "On"]);
    expect(game.position.state.truth.facts).toMatchObject({ state: expect.stringContaining('"col":2') });
    expect(worker.postMessage).toHaveBeenCalledTimes(4);
    await game.reset();
    expect(game.position).toBe(first);
    expect(worker.postMessage).toHaveBeenCalledTimes(4);
    expect(worker.terminate).not.toHaveBeenCalled();
    game.end();
    expect(worker.terminate).toHaveBeenCalledTimes(1);
  });
  it("plays as its game does that a worker trains on", async () => {
    install();
    const [spec] = environmentsIn(extension);
    const env = spec!.create(spec!.config.parse({}), { searchBudget: 20 });
    env.reset(5);
    const game = await ownLevel();
    let paid = 0;
    for (const action of ["On", "Back", "d", "On", ...env.oracle()!].slice(0, 7)) {
      const { reward, terminated } = env.step(action);
      paid += reward;
      await game.play(action);
      expect(game.position.state.truth).toEqual(env.groundTruth());
      expect(game.position.reward).toBeCloseTo(paid);
      if (terminated) break;
    }
    const { frame } = game.position.state;
    expect(frame).toEqual(env.render(frame.height / mine.rows));
  });
  it("drops the moves that wait behind one that fails, and when the visitor leaves", async () => {
    install();
    const start = vi.fn(workerHere);
    const game = await ownLevel(start);
    isBroken = true;
    const moves = [game.play("break it"), game.play("On"), game.play("On")];
    expect((await Promise.allSettled(moves)).map(({ status }) => status)).toEqual([
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(game.position.moves).toEqual([]);
    await game.play("On");
    expect(start).toHaveBeenCalledTimes(2);
    const waiting = [game.play("On"), game.play("Back"), game.play("Back")];
    game.end();
    await Promise.allSettled(waiting);
    expect(game.position.moves.length).toBe(1);
    for (const { value } of start.mock.results) expect(value.terminate).toHaveBeenCalled();
    expect(start).toHaveBeenCalledTimes(2);
  });
  it.each([
    ["its code fails", { kind: "failed", to: 1, error: { message: "start failed", hint: "Correct it." } }],
    ["its state cannot be read", { kind: "answer", to: 1, answer: { kind: "begun", truth: { rows: 2 } } }],
  ])("says why there is no level, and ends its worker, where %s", async (_, answer) => {
    install();
    const worker = workerHere();
    const target = new EventTarget();
    const failing = {
      ...worker,
      addEventListener: target.addEventListener.bind(target),
      postMessage: () => target.dispatchEvent(new MessageEvent("message", { data: answer })),
    };
    queueMicrotask(() => target.dispatchEvent(new MessageEvent("message", { data: { kind: "ready" } })));
    await expect(ownLevel(() => failing)).rejects.toMatchObject({ code: "failed" });
    expect(worker.terminate).toHaveBeenCalled();
  });
  it("ends its worker where the environment is removed while a level begins", async () => {
    install();
    const worker = workerHere();
    const level = ownLevel(() => worker);
    replaceExtensions([]);
    await expect(level).rejects.toThrow("mine");
    expect(worker.terminate).toHaveBeenCalled();
  });
});

describe("a drawing", () => {
  it("is called one, and a colour that SVG does not have is named", () => {
    const game = levelOf("svg");
    expect(shown(game)).toContain("No drawing yet.");
    game.play(game.spec.actions[0]!);
    expect(shown(game)).toMatch(/>1 drawing so far, with a reward of [^<;]*\.<\/span><\/p>/);
    game.play(game.spec.actions[0]!.replace("red", "blurple"));
    expect(shown(game)).toMatch(
      /2 drawings so far, with a reward of [^<;]*\. The last one: fill=&quot;blurple&quot; names no colour; use one such as/,
    );
  });
  it("stands below its icon, which stays as large as before, beside where the two differ", async () => {
    const game = levelOf("svg");
    const { width } = game.position.state.frame;
    expect(canvasesIn(shown(game))).toEqual([["You play, level 5", width]]);
    game.play(game.spec.actions[0]!);
    const { prelude } = await prerender(played(game));
    expect(canvasesIn(await new Response(prelude).text())).toEqual([
      ["The icon to draw", width],
      ["You play, level 5", width],
      ["Difference", 192],
    ]);
  });
});

/** The first words of the label of each picture, and its width in pixels. */
const canvasesIn = (html: string) =>
  [...html.matchAll(/<canvas width="(\d+)"[^>]*aria-label="([^".]+)/g)].map(([, width, label]) => [
    label,
    Number(width),
  ]);
