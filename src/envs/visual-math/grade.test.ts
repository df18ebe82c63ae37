import { beforeAll, describe, expect, it } from "vitest";
import { mathAlgebra } from "./algebra.ts";
import { isExpression, isSameAnswer, plainAnswer, setAlgebra } from "./grade.ts";

beforeAll(() => setAlgebra(mathAlgebra));

describe("an answer in plain text", () => {
  it.each([
    ["\\frac{1}{2}", "1/2"],
    ["$\\dfrac{3}{4}$", "3/4"],
    ["\\frac12", "1/2"],
    ["2\\sqrt{2}", "2sqrt(2)"],
    ["\\frac{\\sqrt{8}}{2}", "(sqrt(8))/2"],
    ["3 \\cdot \\pi \\text{ units}", "3 * pi"],
    ["1,234", "1234"],
    ["x^{2} + 1", "x^(2) + 1"],
    ["√13", "sqrt(13)"],
    ["9".repeat(200), ""],
  ])("%s is %s", (text, plain) => expect(plainAnswer(text)).toBe(plain));
});

describe("grading", () => {
  it.each([
    // Rational.
    ["\\frac{1}{2}", "1/2"],
    ["0.5", "1/2"],
    ["\\frac{2}{6}+0", "1/3"],
    ["-\\frac{3}{4}", "-3/4"],
    ["50\\%", "50"],
    // Whole numbers.
    ["04", "4"],
    ["4.0", "4"],
    ["4 units", "4"],
    // Symbolic.
    ["\\sqrt{8}", "2\\sqrt{2}"],
    ["2*sqrt(13)", "sqrt(52)"],
    ["\\frac{\\sqrt{2}}{2}", "1/\\sqrt{2}"],
    ["(x+1)^2", "x^2+2x+1"],
    ["2\\pi r", "r \\cdot 2 \\pi"],
    ["x y", "y*x"],
  ])("%s is %s", (given, truth) => {
    expect(isSameAnswer(given, truth)).toBe(true);
    expect(isSameAnswer(truth, truth)).toBe(true);
  });

  it.each([
    ["\\frac{2}{4}", "1/2"],
    ["8/2", "4"],
    ["2+2", "4"],
    ["4.5", "4"],
    ["1/3", "1/2"],
    ["0.333", "1/3"],
    ["\\sqrt{8}", "\\sqrt{2}"],
    ["(x+1)^2", "x^2+1"],
    ["x", "y"],
    ["", "1/2"],
    ["1/0", "1/2"],
    ["one half", "1/2"],
    ["x = 1/2", "1/2"],
    ["f(x) = x", "1/2"],
    ["[1/2]", "1/2"],
  ])("%s is not %s", (given, truth) => expect(isSameAnswer(given, truth)).toBe(false));

  it("knows what has a value", () => {
    for (const text of ["1/2", "sqrt(13)", "2pi"]) expect(isExpression(text)).toBe(true);
    for (const text of ["", "1/0", "(", "a = 1", "sqrt(-1)"]) expect(isExpression(text)).toBe(false);
  });
});
