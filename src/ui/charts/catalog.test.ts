import { expect, it } from "vitest";
import { claimedByPlace } from "../../agent/task.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { rewardTerms } from "../../rl/reward/index.ts";
import { findMetric } from "../metrics/dictionary.ts";
import { CHARTS, chartsToShow, validatedLines } from "./catalog.ts";

const table = (...keys: string[]) => ({
  keys,
  get: (key: string) => (keys.includes(key) ? { xs: [1], ys: [0.5] } : undefined),
});
const overview = (...keys: string[]) =>
  chartsToShow(table(...keys) as never, "ppo")
    .filter(({ group }) => group === "Overview")
    .flatMap(({ charts }) => charts.map(({ title }) => title));

it("has one chart of success for a run in one environment, and one for each of several", () => {
  expect(overview("train/success/frozenlake")).toEqual(["Success rate"]);
  expect(overview("train/success/frozenlake", "train/success/boxes")).toEqual([
    "Success rate",
    "Success rate: frozenlake",
    "Success rate: boxes",
  ]);
});

const PRACTICE = ["train/success/primitive-skill", "train/success/stack"];

it("has the success of all environments in one chart, and says which of them is the first", () => {
  const [together, first] = chartsToShow(table(...PRACTICE) as never, "ppo", 0, ["primitive-skill"])[0]!
    .charts;
  expect(together!.lines.map(({ key, label }) => [key, label])).toEqual([
    [PRACTICE[0], "primitive-skill (main)"],
    [PRACTICE[1], "stack"],
  ]);
  expect(new Set(together!.lines.map(({ color }) => color)).size).toBe(2);
  expect(first!.title).toBe("Success rate: primitive-skill (main)");
});

it("has the success of each environment, named, when a validation is all that there is", () => {
  const validated = PRACTICE.map((key) => key.replace("train/", "val/"));
  const sections = chartsToShow(table(...validated) as never, "ppo", 0, ["primitive-skill", "stack"]);
  expect(sections[0]!.charts.map(({ title, validation }) => [title, validation])).toEqual([
    ["Success rate: primitive-skill (main)", validated[0]],
    ["Success rate: stack", validated[1]],
  ]);
});

it("has the success of each validation set, in a run in one environment too", () => {
  const keys = ["train/success/frozenlake", "val/success/frozenlake", "val/success/hard"];
  const sections = chartsToShow(table(...keys) as never, "ppo", 0, ["frozenlake"], undefined, ["hard"]);
  expect(sections[0]!.charts.map(({ title, validation }) => [title, validation])).toEqual([
    ["Success rate", "val/success"],
    ["Success rate: hard (validation set)", "val/success/hard"],
  ]);
});

it("has the return of each of several environments, and of one only the mean score", () => {
  const rewards = (...keys: string[]) =>
    chartsToShow(table("critic/score/mean", ...keys) as never, "ppo", 0, ["frozenlake"])
      .filter(({ group }) => group === "Reward")
      .flatMap(({ charts }) => charts.map(({ title, lines }) => [title, lines.map(({ label }) => label)]));
  expect(rewards("train/score/frozenlake")).toEqual([["Episode score", ["Mean"]]]);
  expect(rewards("train/score/frozenlake", "train/score/sokoban")).toEqual([
    ["Episode score", ["Mean"]],
    ["Episode return", ["frozenlake (main)", "sokoban"]],
  ]);
});

it("says of which source and which statistic charts of one metric are", () => {
  const titles = (...keys: string[]) =>
    chartsToShow(table(...keys) as never, "ppo", 0, ["primitive-skill"])
      .filter(({ group }) => group === "Other")
      .flatMap(({ charts }) => charts.map(({ title }) => title));
  const returnOf = (source: string, statistic: string) => `val-core/${source}/reward/${statistic}`;
  expect(titles(returnOf("stack", "mean@1"), "val-aux/stack/traj_success/mean@1")).toEqual([
    "Validation return",
    "Validation success, per level",
  ]);
  expect(titles(returnOf("primitive-skill", "mean@1"), returnOf("stack", "mean@1"))).toEqual([
    "Validation return: primitive-skill (main)",
    "Validation return: stack",
  ]);
  expect(titles(returnOf("stack", "mean@4"), returnOf("stack", "best@4/mean"))).toEqual([
    "Validation return: mean@4",
    "Validation return: best@4, mean",
  ]);
});

it("calls what environments measure by the titles that stand beside a drawing", () => {
  const { measures, drawings } = envs.get("svg");
  const charts = (...names: string[]) =>
    chartsToShow(table(...names.map((name) => `train/measured/${name}`)) as never, "ppo", 0, ["svg"])
      .flatMap(({ charts }) => charts)
      .map(({ title, lines }) => [title, lines[0]!.label]);
  const titled = (...titles: string[]) =>
    titles.map((title) => [`Measured at the end: ${title}`, `Measured at the end: ${title}`]);
  const titles = Object.fromEntries(drawings!.measures.map(([title, fact]) => [fact, title]));
  const names = [...measures!({ structural_weight: 1 }), "dino"];
  expect(charts(...names)).toEqual(titled(...names.map((name) => titles[name]!)));
  expect(charts("color")).toEqual(titled("colour"));
  expect(charts("color", "icons/color")).toEqual(titled("colour", "icons, colour"));
  // An environment of the user's has names only.
  expect(charts("moves")).toEqual(titled("moves"));
});

const missed = (kind: string) => `surroundings_miss/${kind}`;

it("has the misses and the false alarms of every kind of tile, in training and on validation levels", async () => {
  await Promise.all(envs.ids.map(loadEnv));
  const named = envs.all.flatMap((spec) => [...(spec.surroundings?.kinds ?? []), ...claimedByPlace(spec)]);
  const kinds = [...new Set(named)];
  expect(kinds).toEqual(expect.arrayContaining(["hole", "stuck box", "target", "wall"]));
  for (const id of ["surroundings_miss", "surroundings_false_alarm"]) {
    const chart = CHARTS.find((known) => known.id === id)!;
    const keys = kinds.map((kind) => `${id}/${kind.replaceAll(" ", "_")}`);
    expect(chart.group).toBe("Overview");
    expect(chart.lines.map(({ key }) => key).sort()).toEqual(keys.sort());
    const validated = validatedLines(chart).map(({ validation }) => validation);
    expect(validated.sort()).toEqual(keys.map((key) => `val/${key}`).sort());
    for (const key of [...keys, ...validated]) expect(findMetric(key)?.key, key).toBe(id);
  }
});

it("shows the kinds of tile that a run has, and no such chart in a run that has none", () => {
  expect(overview("actor/entropy")).toEqual(["Entropy"]);
  const charts = chartsToShow(table(missed("wall"), `val/${missed("box")}`) as never, "ppo")[0]!.charts;
  expect(charts.map(({ title, lines }) => [title, lines.map(({ label }) => label)])).toEqual([
    ["Missed neighbours", ["Box", "Wall"]],
  ]);
});

it("draws the share of right facts that ends SFT, where one does", () => {
  const guideAt = (target: number) =>
    chartsToShow(table("sft/facts_right") as never, "warmup", target)[0]!.charts[0]!.guide;
  expect(guideAt(0.98)).toEqual({ value: 0.98, label: "SFT ends at 98 %" });
  expect(guideAt(0)).toBeUndefined();
});

const ENVIRONMENTS = Array.from({ length: 30 }, (_, i) => `train/success/world-${i}`);

it("draws no two environments alike, the fourth to sixth dashed", () => {
  const [together] = chartsToShow(table(...ENVIRONMENTS) as never, "ppo")[0]!.charts;
  const looks = together!.lines.map(({ color, dash = "solid" }) => `${color} ${dash}`);
  expect(looks).toHaveLength(30);
  expect(new Set(looks).size).toBe(30);
  expect(together!.lines.slice(0, 6).map(({ dash }) => dash !== undefined)).toEqual([
    ...[false, false, false, true, true, true],
  ]);
});

it("draws no two lines of a chart alike", () => {
  const kinds = rewardTerms.all.map(({ id }) => `reward/${id}`);
  const environments = ENVIRONMENTS.slice(0, 6);
  const ofRun = chartsToShow(table(...kinds, ...environments) as never, "ppo").flatMap(
    ({ charts }) => charts,
  );
  expect(ofRun.map(({ lines }) => lines.length)).toEqual(expect.arrayContaining([kinds.length, 6]));
  for (const { title, lines } of [...CHARTS, ...ofRun]) {
    const looks = lines.map(({ color, dash = "solid" }) => `${color} ${dash}`);
    expect(new Set(looks).size, `${title}: ${looks.join(", ")}`).toBe(looks.length);
  }
});

it("has a part of the return for each claim that the reply format has", () => {
  const logged = ["task", "format", "state_estimation", "transition_modeling", "surroundings"];
  const partsIn = (format: Parameters<typeof chartsToShow>[4]) =>
    chartsToShow(table(...logged.map((id) => `reward/${id}`)) as never, "ppo", 0, [], format).flatMap(
      ({ charts }) => charts.map(({ title, lines }) => [title, ...lines.map(({ label }) => label)]),
    );
  const title = "Return by part";
  expect(partsIn("no_think")).toEqual([[title, "Task", "Format"]]);
  expect(partsIn("free_think")).toEqual([[title, "Task", "Format", "Neighbours"]]);
  expect(partsIn("grounding")).toEqual([[title, "Task", "Format", "Grounding", "Neighbours"]]);
  expect(partsIn("grounding_worldmodeling")).toEqual([
    [title, "Task", "Format", "Grounding", "Prediction", "Neighbours"],
  ]);
});
