import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findingOf } from "./alarm.ts";
import type { History, MetricRow } from "./history.ts";
import { alarms } from "./index.ts";
import { course, rowsOf } from "./testing.ts";
import { type AlarmChange, AlarmWatch } from "./watch.ts";

/** All changes over a course. */
function changesOver(rows: readonly MetricRow[]): AlarmChange[] {
  const watch = new AlarmWatch();
  return rows.flatMap((row) => watch.check(row));
}
const names = (changes: readonly AlarmChange[]) => changes.map(({ alarm, state }) => `${alarm} ${state}`);

describe("every alarm", () => {
  test.each(alarms.all)("$id explains its meaning and remedy", ({ meaning, remedy, reads, id }) => {
    for (const text of [meaning, remedy]) expect(text).toMatch(/\.$/);
    expect(id).toMatch(/^[a-z_]+$/);
    expect(reads.length).toBeGreaterThan(0);
  });
  test("is silent over a healthy run, and over one that logs nothing", () => {
    expect(changesOver(course(200))).toEqual([]);
    expect(changesOver(Array.from({ length: 50 }, (_, i) => ({ update: i + 1, values: {} })))).toEqual([]);
  });
  test("ignores numbers that are not finite", () => {
    expect(
      changesOver(course(60, { "actor/ppo_kl": () => Number.NaN, "actor/entropy": () => Number.NaN })),
    ).toEqual([]);
  });
});

describe("reward hacking", () => {
  const judge = "reward/state_estimation";
  test("is judge reward up while success is flat, from the update at which the rise began", () => {
    const rows = course(100, {
      "train/success/lake": () => 0.6,
      [judge]: (u) => (u > 50 ? 0.25 : 0.13) + 0.004 * Math.sin(u),
    });
    const [change, ...others] = changesOver(rows);
    expect(change).toMatchObject({ alarm: "reward_hacking", state: "begun", began: 51 });
    expect(change!.update).toBeLessThan(62);
    expect(findingOf(change!)).toMatch(/^judge reward 0\.2\d* → 0\.3\d*, success 0\.6 → 0\.6$/);
    expect(others).toEqual([]);
  });
  test("is found when it creeps in", () => {
    const creeping = (u: number) => 0.13 + Math.max(0, u - 30) * 0.002;
    const [change] = changesOver(course(120, { "train/success/lake": () => 0.6, [judge]: creeping }));
    expect(change).toMatchObject({ alarm: "reward_hacking" });
    expect(change!.began).toBeGreaterThan(30);
  });
  test.each(["action_cost", "best_so_far", "mine", "task", "format"])(
    "is not a rise of %s, which no judge decides, with or without a judge",
    (term) => {
      const rise = {
        "train/success/lake": () => 0.6,
        [`reward/${term}`]: (u: number) => (u > 50 ? 0.4 : 0.1),
      };
      expect(changesOver(course(100, rise))).toEqual([]);
      const unjudged = course(100, rise).map(({ update, values }) => {
        const { [judge]: _, "reward/transition_modeling": __, ...others } = values;
        return { update, values: others };
      });
      expect(changesOver(unjudged)).toEqual([]);
    },
  );
  test("is not a rise that comes with success", () => {
    const rows = course(100, {
      "train/success/lake": (u) => (u > 50 ? 0.8 : 0.6),
      [judge]: (u) => (u > 50 ? 0.25 : 0.13),
    });
    expect(changesOver(rows)).toEqual([]);
  });
  test("ends when success follows or the judge reward falls back, and is not reported again for the same rise", () => {
    const late = course(160, {
      "train/success/lake": (u) => (u > 90 ? 0.8 : 0.6),
      [judge]: (u) => (u > 50 ? 0.25 : 0.13),
    });
    expect(names(changesOver(late))).toEqual(["reward_hacking begun", "reward_hacking over"]);
    const back = course(160, {
      "train/success/lake": () => 0.6,
      [judge]: (u) => (u > 50 && u < 90 ? 0.25 : 0.13),
    });
    expect(names(changesOver(back))).toEqual(["reward_hacking begun", "reward_hacking over"]);
  });
});

describe("echo", () => {
  test("is one text that fills a section", () => {
    const [change] = changesOver(
      course(60, { "diversity/echo_share/prediction": (u) => (u > 40 ? 0.8 : 0.12) }),
    );
    expect(change).toMatchObject({ alarm: "echo", state: "begun", began: 41 });
    expect(findingOf(change!)).toMatch(/^share of the most frequent prediction 0\.12 → 0\.\d+$/);
  });
  test("is a section that has few phrases left", () => {
    const [change] = changesOver(
      course(60, { "diversity/distinct_4/observation": (u) => (u > 40 ? 0.01 : 0.06) }),
    );
    expect(change).toMatchObject({ alarm: "echo", began: 41 });
  });
  test("does not flap about its bound", () => {
    const wavering = (u: number) => (u > 30 && u < 90 ? 0.49 + 0.08 * Math.sin(u / 2) : 0.12);
    expect(names(changesOver(course(120, { "diversity/echo_share/prediction": wavering })))).toEqual([
      "echo begun",
      "echo over",
    ]);
  });
});

describe("entropy collapse", () => {
  const fall = (to: number) => (u: number) => (u > 40 ? to : 0.1);
  test("is entropy at a small share of its first values", () => {
    const [change] = changesOver(course(60, { "actor/entropy": fall(0.004) }));
    expect(change).toMatchObject({ alarm: "entropy_collapse", began: 41, update: 43 });
  });
  test("is not the fall of a run that learns, nor the certainty of one that has solved its task", () => {
    expect(changesOver(course(60, { "actor/entropy": fall(0.015) }))).toEqual([]);
    expect(
      changesOver(course(60, { "actor/entropy": fall(0.001), "train/success/lake": () => 0.99 })),
    ).toEqual([]);
  });
  test("ends when the task is solved, and does not flap at that rate", () => {
    const solvedAt = (rate: (u: number) => number) =>
      course(60, { "actor/entropy": fall(0.001), "train/success/lake": (u) => (u > 48 ? rate(u) : 0.6) });
    expect(names(changesOver(solvedAt(() => 0.99)))).toEqual([
      "entropy_collapse begun",
      "entropy_collapse over",
    ]);
    expect(names(changesOver(solvedAt((u) => 0.95 + 0.02 * Math.sin(u))))).toEqual([
      "entropy_collapse begun",
    ]);
  });
  test("is detected in a run that starts with it", () => {
    const [change] = changesOver(course(10, { "actor/entropy": () => 0.001 }));
    expect(change).toMatchObject({ alarm: "entropy_collapse", began: 1, update: 3 });
  });
  test("ends well above its bound only", () => {
    const entropy = (u: number) => (u <= 20 ? 0.1 : u <= 30 ? 0.004 : u <= 40 ? 0.009 : 0.02);
    const changes = changesOver(course(60, { "actor/entropy": entropy }));
    expect(changes.map(({ state, update }) => [state, update])).toEqual([
      ["begun", 23],
      ["over", 43],
    ]);
  });
});

describe("KL spike", () => {
  test("is reported at once, and ends after calm updates", () => {
    const changes = changesOver(course(60, { "actor/ppo_kl": (u) => (u === 30 ? 0.3 : 0.001) }));
    expect(changes.map(({ alarm, state, update }) => [alarm, state, update])).toEqual([
      ["kl_spike", "begun", 30],
      ["kl_spike", "over", 35],
    ]);
    // The page offers the check of the GPU at this alarm; the command line has only these words.
    expect(changes[0]!.remedy).toContain("npm run check-gpu");
  });
  test("is relative to the usual KL: a run with large steps has larger spikes", () => {
    expect(changesOver(course(60, { "actor/ppo_kl": (u) => (u === 30 ? 0.05 : 0.01) }))).toEqual([]);
    expect(changesOver(course(60, { "actor/ppo_kl": (u) => (u === 30 ? 0.05 : 0.001) }))).toHaveLength(2);
  });
});

describe("reward-variance cliff", () => {
  const cliff = { "critic/score/std": (u: number) => (u > 40 ? 0.05 : 0.4), "train/success/lake": () => 0.3 };
  test("is rewards that are suddenly alike", () => {
    const [change] = changesOver(course(60, cliff));
    expect(change).toMatchObject({ alarm: "reward_variance_cliff", began: 41, update: 43 });
  });
  test("is measured within groups if there are groups", () => {
    const grouped = (u: number) => (u > 40 ? 0 : 0.2);
    const rows = course(60, {
      ...cliff,
      "critic/score/std": () => 0.4,
      "custom_metrics/train/reward_variance": grouped,
    });
    expect(changesOver(rows)[0]).toMatchObject({ alarm: "reward_variance_cliff", began: 41 });
  });
  test("ends when success explains it", () => {
    const rows = course(60, { ...cliff, "train/success/lake": (u) => (u > 50 ? 0.97 : 0.1) });
    expect(names(changesOver(rows))).toEqual(["reward_variance_cliff begun", "reward_variance_cliff over"]);
  });
  test("is not what success explains", () => {
    expect(changesOver(course(60, { ...cliff, "train/success/lake": (u) => (u > 40 ? 0.97 : 0.5) }))).toEqual(
      [],
    );
  });
});

describe("the loss of SFT", () => {
  const sft = (count: number, loss: (u: number) => number): MetricRow[] =>
    Array.from({ length: count }, (_, i) => ({ update: i + 1, values: { "sft/loss": loss(i + 1) } }));
  test("looks wrong when it is far above that of random guesses", () => {
    const [change, ...others] = changesOver(sft(20, () => 14.3));
    expect(change).toMatchObject({ alarm: "sft_loss", state: "begun", began: 1, update: 3 });
    expect(findingOf(change!)).toBe("imitation loss 14, above 10");
    expect(change!.remedy).toContain("npm run check-gpu");
    expect(others).toEqual([]);
  });
  test.each([4.9, 0.2])("looks wrong when it rises from %d", (first) => {
    const [change] = changesOver(sft(60, (u) => first + Math.max(0, u - 20) * 0.2));
    expect(change).toMatchObject({ alarm: "sft_loss", began: 31, update: 33 });
    expect(findingOf(change!)).toContain(`imitation loss ${first} → `);
  });
  test("looks wrong when it has not fallen over the first updates", () => {
    const [change, ...others] = changesOver(sft(400, (u) => 4.9 + 0.1 * Math.sin(u)));
    expect(change).toMatchObject({ alarm: "sft_loss", began: 1, update: 201 });
    expect(others).toEqual([]);
  });
  test("may fall late, rise now and then, and stay where a checkpoint has brought it", () => {
    expect(changesOver(sft(400, (u) => (u < 180 ? 6.6 : 5)))).toEqual([]);
    expect(changesOver(sft(400, (u) => (u === 1 ? 4.9 : u % 50 < 2 ? 9 : 3)))).toEqual([]);
    expect(changesOver(sft(400, (u) => 0.2 + 0.1 * Math.sin(u)))).toEqual([]);
    expect(changesOver(sft(400, () => Number.NaN))).toEqual([]);
  });
  test("is over well below the bound, and does not flap about it", () => {
    const back = (u: number) => (u < 20 ? 4.9 : u < 40 ? 9 : u < 80 ? 6.9 + 0.3 * Math.sin(u) : 3);
    const changes = changesOver(sft(300, back));
    expect(changes.map(({ state, update }) => [state, update])).toEqual([
      ["begun", 22],
      ["over", 82],
    ]);
  });
});

describe("a weak start", () => {
  const expected = {
    "expected/success": 0.59,
    "expected/success/low": 0.529,
    "expected/format_correct": 0.999,
  };
  const validation = (success: number, format: number, levels = 64, known: object = expected) => ({
    update: 0,
    values: { "val/success": success, "val/format_correct": format, "val/levels": levels, ...known },
  });
  test("is a first validation far below what was measured of the policy", () => {
    const [change, ...others] = changesOver([validation(2 / 64, 0.1)]);
    expect(change).toMatchObject({ alarm: "weak_start", state: "begun", began: 0, update: 0 });
    expect(findingOf(change!)).toBe(
      "success 0.031 where 0.59 was measured, valid format 0.1 where 1 was measured",
    );
    expect(change!.remedy).toContain("npm run check-gpu");
    expect(others).toEqual([]);
  });
  test.each([
    ["success alone", validation(0.2, 0.99), ["val/success"]],
    [
      "the form alone, where success cannot be compared",
      validation(0, 0.2, 64, { "expected/format_correct": 0.99 }),
      ["val/format_correct"],
    ],
  ])("may be %s", (_, row, metrics) => {
    expect(changesOver([row])[0]!.evidence.map(({ metric }) => metric)).toEqual(metrics);
  });
  test.each([
    ["as good as measured", validation(0.59, 0.999)],
    ["somewhat worse, as chance has it", validation(28 / 64, 0.98)],
    ["on too few levels to tell success by", validation(0, 0.99, 60)],
    ["on few levels", validation(0, 0, 2)],
    ["of a policy that was not measured", validation(0, 0, 64, {})],
    [
      "of a policy that never knew the format",
      validation(0.59, 0.1, 64, { ...expected, "expected/format_correct": 0.5 }),
    ],
    ["that is not finite", validation(Number.NaN, Number.NaN)],
  ])("is not a validation %s", (_, row) => expect(changesOver([row])).toEqual([]));
  describe("in a run in several environments", () => {
    const several = {
      "expected/frozenlake/success": 0.75,
      "expected/frozenlake/success/low": 0.7,
      "expected/frozenlake/format_correct": 1,
      "expected/sokoban/success": 0.81,
      "expected/sokoban/success/low": 0.76,
    };
    const played = (lake: number, room: number, format = 1) => ({
      update: 0,
      values: {
        ...validation(lake, format, 64, several).values,
        "val/success/frozenlake": lake,
        "val/success/sokoban": room,
        "val/levels/sokoban": 256,
      },
    });
    test.each([
      [played(0.75, 0.5), "success in sokoban 0.5 where 0.81 was measured"],
      [played(0.2, 0.8), "success in frozenlake 0.2 where 0.75 was measured"],
      [played(0.75, 0.8, 0.1), "valid format in frozenlake 0.1 where 1 was measured"],
    ])("names the one that plays worse: %#", (row, finding) => {
      expect(findingOf(changesOver([row])[0]!)).toBe(finding);
    });
    test("is quiet where each plays as it was measured, and where too few levels say so", () => {
      expect(changesOver([played(0.75, 0.8)])).toEqual([]);
      const { values } = played(0.75, 0);
      expect(changesOver([{ update: 0, values: { ...values, "val/levels/sokoban": 60 } }])).toEqual([]);
    });
    test("is over when that one is as good as measured", () => {
      const later = { ...played(0.75, 0.8), update: 20 };
      expect(changesOver([played(0.75, 0.5), later]).map(({ state }) => state)).toEqual(["begun", "over"]);
    });
  });
  test("is over when a later validation reaches what was measured at least", () => {
    const later = (update: number, success: number, format: number) => ({
      ...validation(success, format, 64, {}),
      update,
    });
    const rows = [validation(0, 0.1), later(20, 0.4, 0.99), later(40, 0.6, 0.3), later(60, 0.6, 0.99)];
    expect(changesOver(rows).map(({ state, update }) => [state, update])).toEqual([
      ["begun", 0],
      ["over", 60],
    ]);
  });
});

describe("the watch", () => {
  const rows = course(120, {
    "train/success/lake": () => 0.6,
    "reward/state_estimation": (u) => (u > 50 && u < 90 ? 0.25 : 0.13),
    "actor/ppo_kl": (u) => (u === 30 || u === 62 ? 0.3 : 0.001),
  });
  test("continues from the rows and changes of an earlier session as if uninterrupted", () => {
    const whole = changesOver(rows);
    expect(whole.length).toBeGreaterThan(4);
    for (const stop of [29, 30, 31, 61, 63, 95]) {
      const resumed = new AlarmWatch();
      for (const row of rows.slice(0, stop)) resumed.remember(row);
      for (const change of whole.filter(({ update }) => update <= stop))
        resumed.restore(structuredClone(change));
      const rest = rows.slice(stop).flatMap((row) => resumed.check(row));
      expect(rest).toEqual(whole.filter(({ update }) => update > stop));
    }
  });
  test("keeps the first and the newest rows of a long run", () => {
    let seen: readonly number[] = [];
    const nosy = {
      ...alarms.get("kl_spike"),
      detect(history: History) {
        seen = history.map(({ update }) => update);
        return null;
      },
    };
    const watch = new AlarmWatch([nosy]);
    for (const row of course(2000)) watch.check(row);
    expect(seen).toHaveLength(400);
    expect([seen[0], seen[99], seen[100], seen.at(-1)]).toEqual([1, 100, 1701, 2000]);
  });
  test("keeps only the metrics that alarms read", () => {
    const seen: string[] = [];
    const nosy = { ...alarms.get("kl_spike"), reads: ["actor/"] };
    const watch = new AlarmWatch([
      {
        ...nosy,
        detect(history) {
          seen.push(...Object.keys(history.at(-1)!.values));
          return null;
        },
      },
    ]);
    watch.check(course(1)[0]!);
    expect(seen.sort()).toEqual(["actor/entropy", "actor/ppo_kl"]);
  });
});

describe("real runs", () => {
  const folder = join(import.meta.dirname, "golden");
  const read = (file: string) => rowsOf(JSON.parse(readFileSync(join(folder, file), "utf8")));
  const broken = "frozenlake-nano-rate-too-high.json";
  const hacked = ["frozenlake-nano-hacked.json", "frozenlake-nano-paid-by-turn.json"];
  test.each(readdirSync(folder).filter((file) => ![broken, ...hacked].includes(file)))(
    "%s, a healthy run, is silent",
    (file) => {
      const rows = read(file);
      expect(rows.length).toBeGreaterThan(30);
      expect(changesOver(rows)).toEqual([]);
    },
  );
  test.each(hacked)("%s: each turn rewards true claims, so the policy avoids the goal", (file) => {
    const [change, ...others] = changesOver(read(file));
    expect(change).toMatchObject({ alarm: "reward_hacking", state: "begun" });
    expect(change!.update).toBeLessThan(40);
    expect(change!.began).toBeLessThan(20);
    expect(others).toEqual([]);
  });
  test("a learning rate far too high: a KL spike, an echo, and finally no rewards", () => {
    const changes = changesOver(read(broken));
    expect(changes.map(({ alarm, began, update }) => ({ alarm, began, update }))).toEqual([
      { alarm: "kl_spike", began: 1, update: 1 },
      { alarm: "echo", began: 3, update: 4 },
      { alarm: "reward_variance_cliff", began: 22, update: 24 },
    ]);
    expect(findingOf(changes[1]!)).toBe(
      "share of the most frequent reasoning 0.021 → 0.52, share of the most frequent prediction 0.14 → 0.49",
    );
  });
});
