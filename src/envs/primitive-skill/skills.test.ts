import { describe, expect, it } from "vitest";
import { clipped, readSkill, skillText, whyUnknown } from "./skills.ts";
import { TASKS } from "./tasks.ts";

describe("readSkill", () => {
  it.each([
    ["pick(62,-55,20)", "pick(62,-55,20)"],
    [" PICK ( 62 , -55, 20 ) ", "pick(62,-55,20)"],
    ["Place(75.5,+33,.5)", "place(75.5,33,0.5)"],
    ["push(1,2,3,4,5,6)", "push(1,2,3,4,5,6)"],
    ["pick(-0,0,20)", "pick(0,0,20)"],
    ["push(1e2,0,20,0,0,20.)", "push(100,0,20,0,0,20)"],
  ])("reads %s", (text, canonical) => {
    const skill = readSkill(text)!;
    expect(skillText(skill)).toBe(canonical);
    expect(readSkill(canonical)).toStrictEqual(skill);
  });

  it.each([
    ["another name", "grasp(1,2,3)"],
    ["too few numbers", "pick(1,2)"],
    ["too many numbers", "place(1,2,3,4)"],
    ["one point for a push", "push(1,2,3)"],
    ["no number", "pick(1,2,z)"],
    ["an empty place", "pick(1,,3)"],
    ["infinity", "pick(1,2,1e999)"],
    ["hexadecimal", "pick(0x1,2,3)"],
    ["text behind it", "pick(1,2,3) now"],
    ["no brackets", "pick 1,2,3"],
    ["nothing", ""],
  ])("refuses %s", (_, text) => {
    expect(readSkill(text)).toBeNull();
  });
});

describe("whyUnknown", () => {
  it.each([
    ["pick(1,2)", "pick takes 3 coordinates, as in pick(0,0,20), but 2 are given."],
    ["Place(1,2,3,4)", "place takes 3 coordinates, as in place(0,0,20), but 4 are given."],
    ["push(1)", "push takes 6 coordinates, as in push(-50,0,20,50,0,20), but 1 is given."],
    ["pick( )", "pick takes 3 coordinates, as in pick(0,0,20), but none are given."],
    ["pick(a,b,c)", '"a" is not a number: coordinates are millimetres, as in pick(0,0,20).'],
    ["pick(1,,3)", "A coordinate is missing: coordinates are millimetres, as in pick(0,0,20)."],
    ["place(1,2,1e999)", '"1e999" is not a number: coordinates are millimetres, as in place(0,0,20).'],
    [
      "grasp(1,2,3)",
      'There is no skill called "grasp". The skills are pick, place and push, as in pick(0,0,20).',
    ],
    ["constructor()", /^There is no skill called "constructor"\./],
    [`${"x".repeat(500)}()`, /^There is no skill called "x{100}… \(500 characters\)"\./],
    ["pick 1,2,3", ""],
    ["pick(1,2,3)", ""],
  ])("says of %s what is wrong", (text, why) => {
    expect(whyUnknown(text)).toEqual(typeof why === "string" ? why : expect.stringMatching(why));
  });
});

describe("clipped", () => {
  it("keeps every coordinate within VAGEN's workspaces", () => {
    const far = readSkill("push(-999,-999,-999,999,999,999)")!;
    expect(skillText(clipped(far, TASKS.StackThreeCube.workspace))).toBe("push(-100,-200,10,150,200,200)");
    expect(skillText(clipped(far, TASKS.PutAppleInDrawer.workspace))).toBe("push(-500,-600,10,-100,200,650)");
  });

  it("leaves what is inside as it is", () => {
    const skill = readSkill("pick(-100,200,10)")!;
    expect(clipped(skill, TASKS.AlignTwoCube.workspace)).toEqual(skill);
  });
});
