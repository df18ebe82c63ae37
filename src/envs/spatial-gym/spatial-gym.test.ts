// Episodes of SpatialGym. What every environment promises is tested in `env-contract.test.ts`.
import { describe, expect, it } from "vitest";
import type { Frame } from "../../core/types.ts";
import { tangentOf } from "../navigation/pose.ts";
import { readAction, whyUnknown } from "./actions.ts";
import { asSpatial, objectsIn, seenIn } from "./claims.ts";
import { config, presets, QUESTION_KINDS } from "./config.ts";
import { spatialGym } from "./index.ts";
import { drawLevel, levelOf } from "./level.ts";
import { ANSWERS, answerTo } from "./questions.ts";
import { SpatialGym } from "./spatial-gym.ts";

function begin(seed: number, options: object = {}): SpatialGym {
  const env = new SpatialGym(config.parse(options));
  env.reset(seed);
  return env;
}

const play = (env: SpatialGym, ...actions: string[]) => actions.map((action) => env.step(action));
const namesOf = (env: SpatialGym) => objectsIn(env.groundTruth()).map(({ name }) => name);
const bytes = ({ data }: Frame) => Buffer.from(data).toString("base64");
const tangent = tangentOf(90);
const LOOK_ROUND = Array.from({ length: 3 }, () => ["Rotate(90)", "Observe()"]).flat();

describe("exploring", () => {
  it("shows the new view only when it is observed", () => {
    for (let seed = 0; seed < 10; seed++) {
      const env = begin(seed);
      const before = bytes(env.render(8));
      const { name } = env.groundTruth().things[0] ?? { name: "chair" };
      for (const action of ["Rotate(90)", `JumpTo(${name})`]) {
        env.step(action);
        expect(bytes(env.render(8)), `${seed} ${action}`).toBe(before);
      }
      env.step("Observe()");
      expect(bytes(env.render(8)), `${seed}`).not.toBe(before);
    }
  });

  it("shows the same view again from the same pose", () => {
    const env = begin(1);
    const before = bytes(env.render(8));
    play(env, "Rotate(90)", "Observe()", "Rotate(270)", "Observe()");
    expect(bytes(env.render(8))).toBe(before);
  });

  it("turns clockwise by eighths", () => {
    const env = begin(2);
    const { yaw } = env.groundTruth().facts;
    play(env, "Rotate(45)", "Rotate(-90)");
    expect(env.groundTruth().facts.yaw).toBe((yaw - 45 + 360) % 360);
    play(env, "Rotate(315)", "Rotate(90)");
    expect(env.groundTruth().facts.yaw).toBe(yaw);
    expect(env.step("Rotate(0)")).toMatchObject({ effective: false, reward: 0, note: "" });
    expect(env.groundTruth().facts.yaw).toBe(yaw);
  });

  it("finds every object of the task in four headings", () => {
    for (const objects of [3, 4, 6])
      for (let seed = 0; seed < 5; seed++) {
        const env = begin(seed, { objects });
        play(env, ...LOOK_ROUND);
        expect([...seenIn(env.groundTruth())].sort()).toEqual(namesOf(env).sort());
      }
  });

  it("jumps beside an object that has been seen, keeps the heading, and explains what is impossible", () => {
    const env = begin(3);
    const [first] = env.groundTruth().things;
    const hidden = namesOf(env).find((name) => !seenIn(env.groundTruth()).includes(name))!;
    expect(env.step(`JumpTo(${hidden})`)).toMatchObject({
      effective: false,
      note: `the ${hidden} has not been seen yet`,
    });
    const stranger = ["sofa", "toilet", "fridge", "bed", "bathtub"].find(
      (name) => !namesOf(env).includes(name),
    )!;
    expect(env.step(`JumpTo(${stranger})`)).toMatchObject({
      effective: false,
      note: `the ${stranger} is not one of the 4 objects of this task`,
    });
    const { yaw } = env.groundTruth().facts;
    expect(env.step(`JumpTo(${first.name})`)).toMatchObject({ effective: true, note: "", reward: 0 });
    const { facts } = env.groundTruth();
    expect(facts.yaw).toBe(yaw);
    const { beside, at } = objectsIn(env.groundTruth()).find(({ name }) => name === first.name)!;
    expect([facts.x, facts.z]).toEqual(beside);
    expect(Math.hypot(at[0] - facts.x, at[1] - facts.z)).toBeLessThan(1.8);
    expect(env.step(`JumpTo(${first.name})`)).toMatchObject({
      effective: false,
      note: `already beside the ${first.name}`,
    });
  });

  it("costs what it is said to cost, and ends with Term() or the last observation", () => {
    const env = begin(4, { max_exp_steps: 2, observe_cost: 0.25 });
    expect(play(env, "Observe()", "Rotate(45)", "Observe()").map(({ reward }) => reward)).toEqual([
      -0.25, 0, -0.25,
    ]);
    const over = { effective: false, reward: 0, note: "the exploration has ended; only the answer is left" };
    for (const action of ["Observe()", "Rotate(45)", "Term()"]) expect(env.step(action)).toMatchObject(over);
    const other = begin(4);
    play(other, "Term()");
    expect(other.step("Observe()")).toMatchObject(over);
    expect(other.step(other.oracle()![0])).toMatchObject({ success: true, reward: 1 });
  });
});

describe("answers", () => {
  it("end the episode, right or wrong, and say what was right", () => {
    for (let seed = 0; seed < 12; seed++) {
      const env = begin(seed);
      const { answer, options } = env.groundTruth().facts;
      const wrong = options.split(" ").find((word) => word !== answer)!;
      expect(env.step(`Answer(${wrong})`)).toEqual({
        ...{ reward: 0, terminated: true, success: false, effective: true },
        note: `wrong: the answer is "${answer}"`,
      });
      expect(env.oracle()).toBeNull();
    }
  });

  it("that the question does not have have no effect", () => {
    const env = begin(1, { task: "direction" });
    expect(env.step("Answer(chair)")).toEqual({
      ...{ reward: 0, terminated: false, success: false, effective: false },
      note: "answer with ahead or right or back or left",
    });
  });

  it("of maps are a success after looks that the oracle takes first, up to the highest bar", () => {
    for (const map_success of [0, 0.6, 0.85])
      for (let seed = 0; seed < 8; seed++) {
        const env = begin(seed, { task: "map", map_success });
        const results = play(env, ...env.oracle()!);
        expect(results.at(-1)).toMatchObject({ success: true, note: "" });
      }
    const env = begin(2, { task: "map", map_success: 0.85 });
    play(env, "Term()");
    expect(env.oracle()).toBeNull();
  });

  it("of the other kind have no effect and say what is asked", () => {
    expect(begin(1, { task: "map" }).step("Answer(left)")).toMatchObject({
      effective: false,
      note: "a map is asked for: Map(…)",
    });
    expect(begin(1, { task: "direction" }).step("Map(chair 1 ahead)")).toMatchObject({
      effective: false,
      note: "a question is asked: Answer(ahead or right or back or left)",
    });
  });

  it("of maps are paid by their score", () => {
    for (let seed = 0; seed < 6; seed++) {
      const env = begin(seed, presets.lite);
      play(env, ...LOOK_ROUND);
      const result = env.step(env.oracle()![0]);
      expect(result).toMatchObject({ success: true, terminated: true, note: "" });
      // Whole steps are up to 25 cm off along each axis, and directions of near objects with them.
      expect(result.reward).toBeGreaterThan(7);
      expect(result.reward).toBeLessThanOrEqual(290 / 32);
    }
  });

  it("of maps count what has been seen", () => {
    const env = begin(2, presets.lite);
    const unseen = 4 - seenIn(env.groundTruth()).length;
    const other = begin(2, presets.lite);
    play(other, ...LOOK_ROUND);
    const [blind, seeing] = [env, other].map((game) => game.step(game.oracle()![0]).reward);
    expect(unseen).toBeGreaterThan(0);
    expect(seeing - blind).toBeCloseTo((10 * unseen) / 4 / 4, 12);
  });

  it("of maps cost a fifth of the map reward once the observations are used up, but not after Term()", () => {
    const rewardAfter = (...actions: string[]) => {
      const env = begin(5, { ...presets.lite, max_exp_steps: 1 });
      play(env, ...actions);
      return env.step(env.oracle()![0]).reward;
    };
    expect(rewardAfter("Observe()")).toBeCloseTo(rewardAfter("Term()") - 2, 12);
  });

  it("of maps name what cannot be read, and what is none of the objects", () => {
    const env = begin(6, { task: "map" });
    const [name] = namesOf(env);
    const stranger = ["sofa", "toilet", "fridge", "bed", "bathtub"].find(
      (kind) => !namesOf(env).includes(kind),
    )!;
    const { note, success } = env.step(`Map(${name} 1 ahead 0 right; a heap of things; ${stranger} 2 left)`);
    expect(success).toBe(false);
    expect(note).toContain('"a heap of things" cannot be read; the');
    expect(note).toContain(`the ${stranger} is not one of the objects`);
    expect(note).toMatch(/the map's score is 0\.\d\d; right is /);
  });
});

describe("actions", () => {
  it.each([
    ["jumpto( Chair )", "JumpTo(chair)"],
    ["ROTATE(+45)", "Rotate(45)"],
    ["Rotate(-315°)", "Rotate(-315)"],
    [" observe ( ) ", "Observe()"],
    ["answer(Left)", "Answer(left)"],
    ['JumpTo("the chair")', "JumpTo(chair)"],
    ["Answer(A lamp)", "Answer(lamp)"],
    ["Rotate(- 45 °)", "Rotate(-45)"],
    ["Rotate(45.0)", "Rotate(45)"],
    ["Rotate(-90.)", "Rotate(-90)"],
    ["Rotate(0)", "Rotate(0)"],
    ["Rotate(-0.0)", "Rotate(0)"],
    ["Map(;{a}; chair 1 ahead)", "Map(a; chair 1 ahead)"],
    ["map( Chair 1 Ahead ;  table 2 left)", "Map(chair 1 ahead; table 2 left)"],
  ])("are read in any letter case and spacing: %s", (text, action) => {
    expect(readAction(text)).toBe(action);
    expect(readAction(action)).toBe(action);
  });

  it.each([
    ["Rotate(50)", "Rotate(50): turns are multiples of 45 from -315 to 315."],
    ["Rotate(45.5)", "Rotate(45.5): turns are multiples of 45 from -315 to 315."],
    ["Rotate(360)", "Rotate(360): turns are multiples of 45 from -315 to 315."],
    [
      "JumpTo(unicorn)",
      'No object is called "unicorn". Use the name of an object of the task, as in JumpTo(chair).',
    ],
    ["JumpTo(constructor)", /^No object is called "constructor"\./],
    ["Observe(now)", "Observe() takes nothing between its brackets."],
    [
      "Answer(up)",
      '"up" answers no question: an answer is ahead, right, back, left or the name of an object.',
    ],
    [
      "Map(over there)",
      'Nothing can be read in this map. It has entries as in "chair 2 ahead 1 left facing back".',
    ],
    ["Fly()", ""],
    ["Observe() ; Rotate(45)", ""],
    ["Rotate(45), Observe()", ""],
  ])("that mean nothing say why: %s", (text, why) => {
    expect(readAction(text)).toBeNull();
    expect(whyUnknown(text)).toEqual(typeof why === "string" ? why : expect.stringMatching(why));
    expect(() => begin(1).step(text)).toThrow(/is not an action/);
  });
});

describe("levels", () => {
  it("have balanced answers, and every kind of question", () => {
    const counts = new Map<string, number>();
    const levels = 240;
    for (let seed = 0; seed < levels; seed++) {
      const { question } = drawLevel(seed, { task: "questions", objects: 4, rooms: 1, tangent });
      const kind = QUESTION_KINDS.find((one) => question.text.includes(HINTS[one]))!;
      const key = `${kind} ${question.options.indexOf(question.answer)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const kind of QUESTION_KINDS) {
      const each = Array.from({ length: ANSWERS[kind] }, (_, answer) => counts.get(`${kind} ${answer}`) ?? 0);
      expect(each.reduce((sum, count) => sum + count)).toBeGreaterThan(levels / 4 - 25);
      // Three and a half standard deviations of a fair coin or die, of which 12 are tossed.
      const [sum, share] = [each.reduce((total, count) => total + count), 1 / ANSWERS[kind]];
      const deviation = Math.sqrt(sum * share * (1 - share));
      for (const count of each) {
        expect(Math.abs(count - sum * share)).toBeLessThan(3.5 * deviation);
        expect(count).toBeGreaterThan(0);
      }
    }
  }, 120_000);

  it("ask what their room answers", () => {
    for (let seed = 0; seed < 12; seed++) {
      const { question, objects, start } = drawLevel(seed, {
        task: "perspective",
        objects: 3,
        rooms: 1,
        tangent,
      });
      const [, asked] = question.text.split(": ");
      const names = [...asked.matchAll(/the (\w+)/g)].map(([, name]) => name);
      const chosen = names.map((name) => objects.find((object) => object.name === name)!);
      const origin = { x: start.x * 10, z: start.z * 10, turn: (start.heading / 2) as 0 };
      expect(question.options[answerTo("perspective", chosen, origin)!]).toBe(question.answer);
    }
  });

  it("are the same whenever they are drawn, and where one is kept from before", () => {
    for (let seed = 0; seed < 3; seed++)
      for (const rooms of [1, 2] as const) {
        const options = { task: "questions", objects: 4, rooms, tangent } as const;
        const level = drawLevel(seed, options);
        expect(drawLevel(seed, options)).toEqual(level);
        expect(levelOf(seed, options)).toEqual(level);
        expect(levelOf(seed, options)).toEqual(level);
      }
  });

  it("do not depend on the size of the picture", () => {
    const [small, large] = [32, 128].map((resolution) => begin(7, { resolution }).groundTruth().facts);
    expect(small.objects).toBe(large.objects);
    expect(small.question).toBe(large.question);
  });
});

describe("two rooms", () => {
  const farthest = (env: SpatialGym) => {
    const truth = asSpatial(env.groundTruth());
    const { start_x, start_z } = truth.facts;
    const distance = ({ at: [x, z] }: { at: readonly number[] }) => Math.hypot(x - start_x, z - start_z);
    const seen = objectsIn(truth).filter(({ name }) => seenIn(truth).includes(name));
    return seen.sort((one, other) => distance(other) - distance(one))[0]!.name;
  };

  it.each([...QUESTION_KINDS, "map"] as const)(
    "hide what the question is about, until the agent looks round beside the farthest that it has seen: %s",
    (task) => {
      for (const [objects, fov] of [
        [3, 90],
        [4, 90],
        [6, 90],
        [6, 60],
      ])
        for (let seed = 0; seed < 2; seed++) {
          const env = begin(seed, { task, objects, fov, rooms: 2 });
          expect(env.floorPlan().rooms).toHaveLength(2);
          play(env, ...LOOK_ROUND);
          const hidden = namesOf(env).filter((name) => !seenIn(env.groundTruth()).includes(name));
          expect(hidden.length).toBeGreaterThan(0);
          expect(hidden.some((name) => env.question().includes(name))).toBe(true);
          const asked = env.question().split(": ")[1]!;
          if (task !== "map") expect(hidden.some((name) => asked.includes(` ${name}`))).toBe(true);
          play(env, `JumpTo(${farthest(env)})`, "Observe()", ...LOOK_ROUND);
          expect([...seenIn(env.groundTruth())].sort()).toEqual(namesOf(env).sort());
        }
    },
  );

  it("come with advice for people who play or choose them", () => {
    expect(spatialGym.playHelp!.actions).toContain("two rooms");
    for (const text of [spatialGym.playHelp!.actions, config.shape.rooms.description])
      expect(text).toMatch(/jump to .*look round/);
  });

  it("have maps that the oracle draws after the fewest actions, each of which is one of them", () => {
    for (let seed = 0; seed < 6; seed++) {
      const env = begin(seed, { task: "map", rooms: 2, map_success: 0.85, max_exp_steps: 20 });
      const plan = env.oracle()!;
      expect(plan.some((action) => action.startsWith("JumpTo("))).toBe(true);
      plan.forEach((action, i) => {
        expect(env.oracle()).toHaveLength(plan.length - i);
        expect(env.step(action)).toMatchObject({ note: "", success: i === plan.length - 1 });
      });
    }
  });
});

it("draws the levels of one room that recordings and policies were made with", () => {
  const facts = [1, 2].map((seed) => begin(seed).groundTruth().facts);
  expect(
    facts.map(({ question, answer, start_x, start_z, start_yaw }) => [
      question,
      answer,
      start_x,
      start_z,
      start_yaw,
    ]),
  ).toEqual([
    [
      "painting, teddy, bed, clock: which is nearer to the teddy, the painting or the bed?",
      "bed",
      2.4,
      1.9,
      0,
    ],
    [
      "chair, lamp, teddy, television: standing at the chair and facing the teddy, where is the television?",
      "back",
      3.1,
      2.5,
      0,
    ],
  ]);
});

/** Words that only one kind of question has. */
const HINTS = {
  direction: ": seen from the start",
  perspective: "facing",
  distance: "nearer",
  order: "comes first",
} as const;

it("lists in its text what the picture shows, in steps from where the agent looked", () => {
  let nothing = 0;
  for (let seed = 0; seed < 12; seed++) {
    const env = begin(seed);
    play(env, "Rotate(45)", "Observe()", "Rotate(180)");
    const { things, facts } = env.groundTruth();
    nothing += Number(things.length === 0);
    const lines = env.text().split("\n");
    if (things.length === 0) expect(lines).toEqual(["nothing"]);
    else expect(lines.map((line) => line.split(" ")[0])).toEqual(things.map(({ name }) => name));
    for (const [i, { at }] of things.entries()) {
      const [, ahead, way, aside, side] = lines[i].split(" ");
      // Trigonometry that the environment does without.
      const yaw = (facts.look_yaw * Math.PI) / 180;
      const [dx, dz] = [at[0] - facts.look_x, at[1] - facts.look_z];
      const [forward, right] = [
        dx * Math.sin(yaw) + dz * Math.cos(yaw),
        dx * Math.cos(yaw) - dz * Math.sin(yaw),
      ];
      expect(Math.abs(Number(ahead) * (way === "back" ? -1 : 1) - forward / 0.5)).toBeLessThan(0.51);
      expect(Math.abs(Number(aside) * (side === "left" ? -1 : 1) - right / 0.5)).toBeLessThan(0.51);
      // Objects in a view of 90° are not far outside it.
      expect(forward).toBeGreaterThan(Math.abs(right) - 1.2);
    }
  }
  expect(nothing).toBeLessThan(12);
});
