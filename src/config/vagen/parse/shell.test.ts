import { describe, expect, test } from "vitest";
import { shellCommands } from "./shell.ts";

const $ = (name: string) => ["$", "{", name, "}"].join("");

describe("a script", () => {
  test.each([
    ["a b; c & d | e", [["a", "b"], ["c"], ["d"], ["e"]]],
    ["a 'b c' \"d e\" f\\ g", [["a", "b c", "d e", "f g"]]],
    ["a \\\n  b # not c\nd", [["a", "b"], ["d"]]],
    ["a\\\r\n b", [["a", "b"]]],
    ['X=1 Y="$X 2"\na $X "$Y" \'$X\'', [["a", "1", "1 2", "$X"]]],
    [`export X=\nb ${$("X:-d")} ${$("X-e")} ${$("X:+f")} ${$("Z:+g")}`, [["export"], ["b", "d", "", "", ""]]],
    [`A=1\nb ${$(`B:-x${$("A")}y`)}`, [["b", "x1y"]]],
    ['N=$(pwd)/x\na "$N" $1 $@ "$UNSET"', [["a", "$(pwd)/x", "$1", "$@", "$UNSET"]]],
    ['H="$( cd "$( dirname "$0" )" && pwd )"\na $H/b', [["a", '$( cd "$( dirname "$0" )" && pwd )/b']]],
    ["a 'open", [["a", "open"]]],
    ["a $(open", [["a", "$(open"]]],
  ])("%j has the commands %j", (text, commands) => expect(shellCommands(text)).toEqual(commands));

  test("types commands into another terminal", () => {
    const text = 'P=5\ntmux send-keys -t "$S" "run --port $P \\\\\n  \\"a b\\"; next" C-m';
    expect(shellCommands(text)).toEqual([["run", "--port", "5", "a b"], ["next"]]);
  });

  test("whose variables double with each line stays small", () => {
    const text = [
      "A0=word",
      ...Array.from({ length: 60 }, (_, i) => `A${i + 1}="$A${i}$A${i}"`),
      "echo $A60",
    ].join("\n");
    expect(shellCommands(text)[0]![1]!.length).toBeLessThanOrEqual(4096);
  });

  test.each([
    ["unclosed expansions", "a $(".repeat(20_000)],
    ["unclosed braces", `a ${"$"}{X:-`.repeat(20_000)],
    ["terminals in terminals", 'tmux send-keys "'.repeat(5_000)],
  ])("with many %s is read", (_, text) => {
    expect(shellCommands(text).length).toBeGreaterThan(0);
  });
});
