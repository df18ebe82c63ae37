import { describe, expect, it } from "vitest";
import { envs, loadEnv } from "../../envs/index.ts";
import { hasArguments, isWritten, readOwnAction, readOwnActions, severalHint } from "./own-action.ts";

await Promise.all(envs.ids.map(loadEnv));

const read = (id: string, text: string) => readOwnAction(envs.get(id), text);
const problem = (id: string, text: string) => {
  const answer = read(id, text);
  return "problem" in answer ? answer.problem : `read as ${answer.action}`;
};
const CIRCLE = '<svg viewBox="0 0 64 64"><circle cx="32" cy="32" r="20" fill="red"/></svg>';
/** An environment of one's own with many actions. */
const compass = {
  actions: ["N", "NE", "E", "SE", "S", "SW", "W", "NW", "open door", "wait"],
};

describe("actions", () => {
  it("are written where they have arguments or are very many; else there is a button for each", () => {
    const written = envs.ids.filter((id) => isWritten(envs.get(id)));
    expect(written.sort()).toEqual(["primitive-skill", "spatial-gym", "svg", "visual-math"]);
    expect(isWritten(compass)).toBe(false);
  });
  it("are examples where they have arguments", () => {
    const examples = envs.ids.filter((id) => hasArguments(envs.get(id)));
    expect(examples.sort()).toEqual(["primitive-skill", "spatial-gym", "svg"]);
  });
});

describe("what a person writes", () => {
  it("is read by the environment itself", () => {
    expect(read("primitive-skill", " Pick( 1, -2 ,3)")).toEqual({ action: "pick(1,-2,3)" });
    expect(read("spatial-gym", "jumpto(The Lamp)")).toEqual({ action: "JumpTo(lamp)" });
    expect(read("navigation", "MoveAhead")).toEqual({ action: "move_forward" });
    expect(read("blackjack", "stick")).toEqual({ action: "Stand" });
    const drawing = '<svg viewBox="0 0 64 64"><rect x="1" y="2" width="3" height="4" fill="red"/></svg>';
    expect(read("svg", `Here it is: ${drawing}`)).toEqual({ action: drawing });
    expect(read("frozenlake", " left")).toEqual({ action: "Left" });
    expect(readOwnAction(compass, "Open Door")).toEqual({ action: "open door" });
  });
  it("can be an expression where answers are graded by algebra", async () => {
    await envs.get("visual-math").loadFor!("1/2");
    expect(read("visual-math", "\\frac{1}{2}")).toEqual({ action: "1/2" });
  });
  it("is refused by its text, with the forms that can be written", () => {
    expect(problem("primitive-skill", "pick 1,2,3")).toBe(
      "Your action “pick 1,2,3” cannot be read. Write one action as in pick(0,0,20), place(0,0,20) or push(-50,0,20,50,0,20).",
    );
    expect(problem("spatial-gym", "fly")).toMatch(
      /“fly” cannot be read\. Write one action as in JumpTo\(chair\), Rotate\(90\), Observe\(\), .* or Map/,
    );
    expect(problem("svg", "")).toBe(`Your drawing is empty. Write all of it, as in ${CIRCLE}`);
  });
  it("is refused for the environment's own reason where it has one", () => {
    expect(problem("spatial-gym", "Rotate(30)")).toBe(
      "Your action “Rotate(30)” cannot be read. Rotate(30): turns are multiples of 45 from -315 to 315.",
    );
    expect(problem("primitive-skill", "pick(1,2)")).toBe(
      "Your action “pick(1,2)” cannot be read. pick takes 3 coordinates, as in pick(0,0,20), but 2 are given.",
    );
    expect(problem("svg", "circle")).toBe(
      `Your drawing “circle” cannot be read. The answer has no <svg>…</svg>. Write all of it, as in ${CIRCLE}`,
    );
  });
  it("is refused with numbers only where actions are numbers", () => {
    expect(problem("visual-math", "100")).toBe(
      "Your answer “100” cannot be read. Write a whole number from 0 to 99.",
    );
    expect(readOwnAction(compass, "up")).toEqual({
      problem:
        "Your action “up” cannot be read. Write one of these: N, NE, E, SE, S, SW, W, NW, open door, wait.",
    });
  });
  it("is quoted in part if it is long", () => {
    expect(problem("primitive-skill", "x".repeat(500))).toMatch(/^Your action “x{60}… \(500 characters\)”/);
  });
});

describe("several actions at once", () => {
  const several = (id: string, text: string, most = 2) => readOwnActions(envs.get(id), text, most);

  it("are read as a policy's, between bars, and between commas too", () => {
    const actions = ["pick(1,2,3)", "place(4,5,6)"];
    expect(several("primitive-skill", "pick(1, 2, 3) | place(4,5,6)")).toEqual({ actions });
    expect(several("primitive-skill", "pick(1,2,3), place(4,5,6)")).toEqual({ actions });
    expect(several("primitive-skill", "pick(1,2,3) |")).toEqual({ actions: actions.slice(0, 1) });
    expect(several("spatial-gym", "Rotate(90)|Observe()")).toEqual({ actions: ["Rotate(90)", "Observe()"] });
    expect(readOwnActions(compass, "n | Open Door", 2)).toEqual({ actions: ["N", "open door"] });
  });
  it("are refused beyond what a turn may have, with the number that is read", () => {
    const three = "Rotate(90) | Rotate(90) | Observe()";
    expect(several("spatial-gym", three)).toEqual({
      problem: "You wrote 3 actions, and at most 2 are read at a time. Begin with the first 2.",
    });
    expect(several("spatial-gym", three, 1)).toEqual({
      problem: "You wrote 3 actions, and one is read at a time. Begin with “Rotate(90)”.",
    });
  });
  it("are refused by the one that cannot be read", () => {
    expect(several("primitive-skill", "pick(1,2,3) | fly")).toEqual(several("primitive-skill", "fly"));
    expect(several("primitive-skill", "pick 1,2,3")).toEqual({
      problem: problem("primitive-skill", "pick 1,2,3"),
    });
  });
  it("are one where an answer is one action", () => {
    expect(several("visual-math", "5 | 6")).toEqual({ problem: problem("visual-math", "5 | 6") });
  });
  it("are explained where a turn may have several", () => {
    expect(severalHint(envs.get("spatial-gym"), 3)).toBe(
      "At most 3 actions are read at a time, with “|” between them.",
    );
    expect(severalHint(envs.get("spatial-gym"), 1)).toBe("");
    expect(severalHint(envs.get("svg"), 3)).toBe("");
  });
});
