// A person's own game in every environment.
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, it } from "vitest";
import { envs, loadEnv } from "../../envs/index.ts";
import { replaceExtensions } from "../../extension/index.ts";
import { OwnGame } from "./own-game.ts";
import { OwnPlay } from "./own-play.tsx";

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
const install = () =>
  replaceExtensions([
    { name: "mine", factory: (api: { environment(own: unknown): void }) => api.environment(mine) },
  ]);
afterEach(() => {
  isBroken = false;
  replaceExtensions([]);
});

const levelOf = (envId: string, seed = 5) => new OwnGame({ envId, seed, turns: [] }, {}, 0, 20);
const shown = (game: OwnGame) =>
  renderToStaticMarkup(
    <OwnPlay game={game} from="level 5" backTo="Stop playing" onBack={() => undefined}>
      You play level 5.
    </OwnPlay>,
  );

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
    if (spec.hasChance) return;
    expect(game.position.ended).toBe("success");
    expect(shown(game)).toMatch(/You solved it in \d+ actions?, with a reward of/);
    const last = game.position.moves.at(-1)!.name;
    game.undo();
    expect(game.position.ended).toBe("");
    game.play(last);
    expect(game.position.ended).toBe("success");
  });
  it.each(builtIn)("of %s shows picture, actions and outcome", (id) => {
    const html = shown(levelOf(id));
    expect(html).toContain('aria-label="You play, level 5.');
    expect(html).toContain("No action yet.");
    expect(html).toContain("Start again");
    expect(html).toMatch(/aria-label="Actions"|Your action/);
  });
});

describe("the actions of a game", () => {
  it("are written, with the examples as buttons, where they have arguments", () => {
    const html = shown(levelOf("primitive-skill"));
    expect(html).toMatch(/<label[^>]*for="([^"]+)"[^>]*>Your action<\/label>.*<textarea[^>]*id="\1"/s);
    for (const example of envs.get("primitive-skill").actions)
      expect(html).toContain(`title="Write ${example} into the field"`);
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
  it("are written without examples where they are numbers", () => {
    const html = shown(levelOf("visual-math"));
    expect(html).toContain("Your action");
    expect(html).not.toContain("Examples");
  });
});

it("shows a person what the agent reads besides the task, such as where cubes lie", () => {
  const toldMore = builtIn.filter((id) => shown(levelOf(id)).includes("The agent reads:"));
  expect(toldMore).toEqual(["primitive-skill"]);
  expect(shown(levelOf("primitive-skill"))).toMatch(/The agent reads: .*\(-?\d+,-?\d+,-?\d+\)/);
});

describe("an environment of one's own", () => {
  it("is played by buttons, also with more than eight actions", () => {
    install();
    const html = shown(levelOf("mine"));
    for (const name of mine.actions) expect(html).toContain(`${name}</button>`);
  });
  it("goes on as before after a step that fails", () => {
    install();
    const game = levelOf("mine");
    game.play("On");
    game.play("On");
    const before = game.position;
    isBroken = true;
    expect(() => game.play("break it")).toThrow(/a mistake/);
    expect(game.position).toBe(before);
    game.play("On");
    expect(game.position).toMatchObject({ ended: "success" });
    expect(game.position.reward).toBeCloseTo(3 * 0.25 + 1);
  });
});

it("compares a drawing with its icon, and mentions it in few words", () => {
  const game = levelOf("svg");
  game.play(game.actions[0]!);
  expect(shown(game)).toMatch(/1 action so far, with a reward of .*a drawing/s);
});
