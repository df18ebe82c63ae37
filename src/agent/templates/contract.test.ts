// What the agent and the judge need of every registered environment beside its folder in src/envs/. A new environment is
// tested by being listed there; each failure says where to add what is missing.
import { beforeAll, describe, expect, it } from "vitest";
import { rng } from "../../core/rng.ts";
import { boardOf } from "../../core/scene.ts";
import type { GroundTruth, SceneTruth, WorldTruth } from "../../core/types.ts";
import type { Env, EnvSpec } from "../../envs/env.ts";
import { envs } from "../../envs/index.ts";
import { INSTRUCTIONS, TASK_IDS } from "../../envs/primitive-skill/task-ids.ts";
import { wordsOf } from "../../envs/worlds.ts";
import { judgeByRule } from "../../judge/rule.ts";
import { readPlaces } from "../../judge/statement.ts";
import { judgeStatements } from "../../judge/statements.ts";
import { judgeSurroundings } from "../../judge/surroundings.ts";
import { isKnown } from "../reply.ts";
import { vocabularyFor } from "../vocabulary.ts";
import { templates } from "./index.ts";
import type { Template } from "./template.ts";

const TEMPLATE = "Write src/agent/templates/<id>.ts and add it to the list in src/agent/templates/index.ts.";
const SYNONYMS = "Add it to SYNONYMS in src/judge/names.ts.";

beforeAll(async () => {
  for (const { load } of envs.all) await load?.();
});

it("every environment has a template, and every template an environment", () => {
  expect([...templates.ids].sort(), TEMPLATE).toEqual([...envs.ids].sort());
});

function begin(spec: EnvSpec, seed: number): Env {
  const env = spec.create(spec.config.parse({}));
  env.reset(seed);
  return env;
}

interface State {
  env: Env;
  truth: SceneTruth;
}

const cache = new Map<EnvSpec, readonly State[]>();

/** The states of an environment. Tests share them, so a test that steps an environment takes `freshStates`. */
function states(spec: EnvSpec): readonly State[] {
  const cached = cache.get(spec) ?? freshStates(spec);
  cache.set(spec, cached);
  return cached;
}

/** States as they are met in play. */
function freshStates(spec: EnvSpec): State[] {
  return Array.from({ length: 20 }, (_, seed) => {
    const env = begin(spec, seed);
    const random = rng(seed);
    let running = true;
    for (let i = 0; i < seed % 4 && running; i++) running = !env.step(random.pick(spec.actions)).terminated;
    return { env, truth: env.groundTruth() };
  });
}

const templateOf = ({ id }: EnvSpec): Template => {
  const template = templates.all.find((known) => known.id === id);
  if (!template) throw new Error(`${id} has no template. ${TEMPLATE}`);
  return template;
};

const withArguments = envs.all.filter(({ readAction, id }) => readAction && templates.get(id).anyAction);

it.each(withArguments.map((spec) => [spec.id, spec] as const))(
  "actions at random of %s differ, are read as they are written, and are spelled in words",
  (_id, spec) => {
    const [random, template] = [rng(1), templateOf(spec)];
    const vocabulary = vocabularyFor(spec, spec.config.parse({}), 5);
    const actions = states(spec).map(({ truth }) => template.anyAction!(truth, random));
    expect(new Set(actions).size).toBeGreaterThan(spec.actions.length);
    for (const action of actions) {
      expect(spec.readAction!(action)).toBe(action);
      for (const token of vocabulary.encode(action)) expect(vocabulary.surface(token)).not.toMatch(/^<0x/);
    }
  },
);

it.each(envs.all.map((spec) => [spec.id, spec] as const))("%s says what its own players do", (_id, spec) => {
  const { players, anyAction, expert, calls } = templateOf(spec);
  expect("random" in players).toBe(anyAction !== undefined);
  expect("expert" in players).toBe(expert !== undefined || calls !== undefined);
});

it("an instruction of PrimitiveSkill is one word, with the list of positions and without it", () => {
  const spec = envs.get("primitive-skill");
  for (const env_id of TASK_IDS)
    for (const positions of ["shuffled", "hidden"] as const) {
      const config = spec.config.parse({ env_id, positions });
      const vocabulary = vocabularyFor(spec, config, 5);
      const env = spec.create(config);
      env.reset(1);
      const words = Array.from(vocabulary.encode(` ${env.question!()}`), (token) =>
        vocabulary.surface(token),
      );
      expect(words[0]).toBe(` ${INSTRUCTIONS[env_id]} `);
    }
});

describe.each(envs.all.map((spec) => [spec.id, spec] as const))("the words of %s", (id, spec) => {
  it("are its own name and actions, and predict what it has", () => {
    const template = templateOf(spec);
    // Answers that are one action can be too many to have words each.
    if (spec.separator === null) expect(spec.actions).toEqual(expect.arrayContaining([...template.actions]));
    else expect([...template.actions].sort()).toEqual([...spec.actions].sort());
    expect(template.name).not.toBe("");
    if (spec.isWorld) return;
    const known = ["player", ...Object.keys(boardOf(begin(spec, 1).groundTruth()).entities)];
    expect(known).toEqual(expect.arrayContaining([...template.predicts]));
  });

  it("are one token each: nothing that is said is spelled in half bytes", () => {
    const vocabulary = vocabularyFor(spec, spec.config.parse({}), 5);
    const template = templateOf(spec);
    for (const { env, truth } of states(spec))
      for (const text of [
        template.describe(truth),
        template.facts(truth),
        template.working?.(truth) ?? "",
        template.predict(truth),
        ...template.actions,
        ...(env.question ? [` ${env.question()}`] : []),
        ...(template.calls?.(truth) ?? []).flatMap(({ why, text: call }) => [why, call]),
      ])
        for (const token of vocabulary.encode(text))
          expect(vocabulary.surface(token), `"${text}": add what is missing to words() of ${id}`).not.toMatch(
            /^<0x/,
          );
  });

  it("parse: the judge reads every claim out of a description and a prediction", () => {
    const template = templateOf(spec);
    if (spec.claims.length === 0 || spec.isWorld) return;
    for (const { truth } of states(spec)) {
      const read = (text: string, names: readonly string[]) =>
        judgeByRule({ claim: "observation", text, truth: truth as GroundTruth, names: [...names] });
      expect(read(template.describe(truth), ["player", ...spec.claims]), SYNONYMS).toMatchObject({
        score: 1,
      });
      expect(read(template.predict(truth), template.predicts), SYNONYMS).toMatchObject({ score: 1 });
    }
  });

  it("parse: the rules of a world read every claim out of a description and a prediction", () => {
    const template = templateOf(spec);
    const rules = wordsOf(spec.id)?.claimRules?.(spec.config.parse({}));
    if (!rules) return;
    for (const { truth } of states(spec)) {
      const scene = truth as WorldTruth;
      for (const [claim, text] of [
        ["observation", template.describe(truth)],
        ["prediction", template.predict(truth)],
      ] as const)
        expect(judgeStatements(text, claim, scene, rules), text).toMatchObject({ status: "match", score: 1 });
      expect(judgeStatements("", "observation", scene, rules)).toMatchObject({
        status: "unreadable",
        score: 0,
      });
    }
  });

  it("state what lies beside the player, if the environment knows it", () => {
    if (!spec.surroundings) return;
    for (const { truth } of states(spec)) {
      const facts = templateOf(spec).facts(truth);
      expect(judgeSurroundings(facts, truth as GroundTruth, spec.surroundings)).toMatchObject({ score: 1 });
    }
  });

  it("keep entities apart, also those that are not asked for", () => {
    if (spec.claims.length === 0 || spec.isWorld) return;
    for (const name of Object.keys(boardOf(begin(spec, 1).groundTruth()).entities)) {
      const places = readPlaces(`player at row 1 col 2 ; ${name} at row 3 col 4`, ["player"]);
      expect(places.get("player"), `The judge does not know the word "${name}". ${SYNONYMS}`).toEqual([
        [1, 2],
      ]);
    }
  });

  it("foresee what the environment does", () => {
    const template = templateOf(spec);
    let surprises = 0;
    for (const { env, truth } of freshStates(spec)) {
      if (template.ended(truth)) continue;
      const action = template.heuristic(truth, rng(1));
      expect(isKnown(action, spec)).toBe(true);
      env.step(action);
      const foreseen = template.predict(template.advance(truth, action));
      const rules = wordsOf(spec.id)?.claimRules?.(spec.config.parse({}));
      if (!rules) expect(foreseen).toBe(template.predict(env.groundTruth()));
      // Physics and walls differ a little from what is foreseen.
      else
        surprises +=
          1 - judgeStatements(foreseen, "prediction", env.groundTruth() as WorldTruth, rules).score;
    }
    expect(surprises).toBeLessThan(2);
  });

  it("cover the symbols of its text board", () => {
    const vocabulary = vocabularyFor(spec, spec.config.parse({ render_mode: "text" }), 5);
    if (spec.isWorld) {
      for (const { env } of states(spec))
        for (const token of vocabulary.encode(`\n${env.text()}`))
          expect(vocabulary.surface(token), "Add what is missing to the template's symbols.").not.toMatch(
            /^<0x/,
          );
      return;
    }
    for (const { env } of states(spec))
      for (const symbol of new Set(env.text().split(/\s+/)))
        expect(
          vocabulary.encode(symbol),
          `Add "${symbol}" to the symbols of text boards in src/agent/vocabulary.ts, or of the template.`,
        ).toHaveLength(1);
  });
});
