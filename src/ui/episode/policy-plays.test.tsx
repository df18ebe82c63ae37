import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { RunConfig } from "../../config/run-config.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { pictureLevel } from "../../envs/preview.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { outcomeOf, outcomeText } from "./outcome.ts";
import {
  PlayControls,
  PlayedStrip,
  PlayedTurns,
  PolicyNotes,
  type ShownTurn,
  useShownTurn,
} from "./policy-plays.tsx";
import { useLevelPlay } from "./use-level-play.ts";

type Play = ReturnType<typeof useLevelPlay>;
const nothing = () => undefined;
const runOn: Play["runOn"] = { backend: "wasm", opening: false, problem: "", choose: async () => undefined };
const idle = {
  shown: null,
  name: "the policy",
  start: async () => undefined,
  stop: nothing,
  open: async () => undefined,
  choice: { policies: [], chosen: "", choose: nothing },
};

const read = (play: Partial<Play>) =>
  renderToStaticMarkup(
    <PlayControls
      play={{ ...idle, opening: null, fileProblem: "", runOn, ...play }}
      seed={3}
      onAnotherLevel={() => 4}
    />,
  );

it("shows which file is opened, and offers no other meanwhile", () => {
  const opening = new File([new Uint8Array(3 * 2 ** 20)], "large.onnx");
  const html = read({ opening });
  expect(html).toContain("Loading large.onnx (3.0 MiB) and ONNX Runtime…");
  expect(html).toMatch(/<progress aria-busy="true"/);
  expect(html.match(/<button[^>]* disabled=""/g)).toHaveLength(2);
  expect(read({})).not.toMatch(/<progress|disabled=""/);
  const shown = { turns: [], trajectory: {}, problem: "" } as unknown as Play["shown"];
  expect(read({ shown, opening })).toMatch(/disabled=""><svg.*?<\/svg> Play another level/);
});

/** What a hook returns when it is first rendered. */
function firstOf<T>(use: () => T): T {
  const found: T[] = [];
  const Host = () => {
    found.push(use());
    return null;
  };
  renderToStaticMarkup(<Host />);
  return found[0]!;
}

it("stops the policy that plays as soon as a file is opened", async () => {
  const run = RunConfig.parse({});
  const policies = [{ id: "frozenlake-nano-trained", title: "Nano" }];
  const play = firstOf(() => useLevelPlay({ run, env: run.env, seed: 3, policies }));
  // ONNX Runtime's build for Node may have set one, which cannot load TypeScript; both calls then report a problem.
  vi.stubGlobal("Worker", undefined);
  const abort = vi.spyOn(AbortController.prototype, "abort");
  const played = play.start(3);
  expect(abort).not.toHaveBeenCalled();
  const opened = play.open(new File([], "none.onnx"));
  expect(abort).toHaveBeenCalledOnce();
  abort.mockRestore();
  await Promise.all([played, opened]);
  vi.unstubAllGlobals();
});

it("says whether the picture is of the state after a turn, or before it where the episode cannot be replayed", () => {
  const { env } = RunConfig.parse({});
  const { turns, seed } = fakeTrajectory({ skill: 1 });
  const shown = (seed: number): ShownTurn => firstOf(() => useShownTurn(env, seed, turns))!;
  const last = turns.at(-1)!;
  expect(shown(seed)).toMatchObject({ title: `After turn ${turns.length}`, truth: last.after });
  expect(shown(seed + 1)).toMatchObject({ title: `Before turn ${turns.length}`, truth: last.before });
  // What a film of the turn begins and ends with.
  expect(shown(seed).states![0]!.truth).toEqual(last.before);
  expect(shown(seed).states!.at(-1)).toMatchObject({ truth: last.after, frame: shown(seed).frame });
  expect(shown(seed).states!.length).toBeGreaterThan(1);
  expect(shown(seed + 1).states).toBeNull();
  // Where turns are filmed, the first one comes first, and a newer one waits for its end.
  const long = fakeTrajectory({ seed: 3, skill: 1 });
  const filmed = (seed: number) => firstOf(() => useShownTurn(env, seed, long.turns, true))!;
  expect(long.turns.length).toBeGreaterThan(1);
  expect(filmed(long.seed)).toMatchObject({ index: 0, truth: long.turns[0]!.after, isBehind: true });
  // Drawings are compared when they are finished.
  expect(filmed(long.seed).compared).toEqual(long.turns[0]!.before);
  expect(shown(seed).compared).toBe(last.after);
  // What cannot be drawn has no film to wait for.
  expect(filmed(long.seed + 1)).toMatchObject({ index: long.turns.length - 1, isBehind: false });
  expect(shown(seed).isBehind).toBe(false);
});

it("shows the floor that a policy walks on", async () => {
  await loadEnv("navigation");
  const { env } = RunConfig.parse({ env: { name: "navigation" } });
  const { turns, seed } = fakeTrajectory({ envId: "navigation", skill: 1 });
  const { floor } = firstOf(() => useShownTurn(env, seed, turns))!;
  expect(floor).toEqual(pictureLevel(envs.get("navigation"), {}, seed).floor);
  expect(floor!.rooms.length).toBeGreaterThan(0);
});

it("does not say how an episode ends before its films have shown it", () => {
  const trajectory = fakeTrajectory({ seed: 3, skill: 1 });
  const { turns } = trajectory;
  const { env } = RunConfig.parse({});
  const play = { shown: { env, turns, trajectory, rewards: "", rules: "" } } as unknown as Play;
  const at = (isBehind: boolean) => {
    const moment = { turns, index: 0, isBehind, onChange: () => undefined } as unknown as ShownTurn;
    return renderToStaticMarkup(<PlayedTurns moment={moment} play={play} />);
  };
  expect(at(true)).toContain("Turn 1");
  expect(at(true)).not.toContain(outcomeText(outcomeOf(trajectory)));
  expect(at(false)).toContain(outcomeText(outcomeOf(trajectory)));
});

it("shows that a policy is loaded before its first turn", () => {
  const shown = { turns: [], trajectory: null, problem: "" } as unknown as Play["shown"];
  expect(read({ shown })).toMatch(/Loading the policy and ONNX Runtime….*<progress/);
});

it("keeps the place of the turns from the click on, so that nothing moves when the first one comes", () => {
  const strip = (shown: object | null) =>
    renderToStaticMarkup(<PlayedStrip moment={null} play={{ shown: shown as Play["shown"] }} />);
  expect(strip(null)).toBe("");
  expect(strip({ turns: [], trajectory: null, problem: "" })).toMatch(/^<div class="[^"]*min-h-11"><\/div>$/);
  expect(strip({ turns: [], trajectory: null, problem: "No." })).toBe("");
});

const notes = (play: Partial<Play>) =>
  renderToStaticMarkup(<PolicyNotes play={{ ...idle, opening: null, fileProblem: "", runOn, ...play }} />);

it("names the policy, and offers a choice where there are several", () => {
  const policies = [
    { id: "a", title: "The run's" },
    { id: "b", title: "A larger one" },
  ];
  expect(notes({})).toContain("The policy is the policy.");
  expect(notes({ choice: { policies, chosen: "a", choose: nothing } })).toMatch(
    /<label for="([^"]+)">Policy<\/label><select id="\1".*<option value="a" selected="">The run&#x27;s<\/option><option value="b">A larger one/,
  );
  expect(notes({ name: null })).toContain("Open one from an ONNX file");
});
