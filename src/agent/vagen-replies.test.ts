// The reply parsers of VAGEN's two generations were run on replies; the studio reads and grades each in the same way.
import { describe, expect, it } from "vitest";
import type { FormatId } from "../core/formats.ts";
import { earnsFormat, type ReadingId, readings } from "../core/readings.ts";
import golden from "./golden/vagen-replies.json" with { type: "json" };
import { parseReply } from "./reply.ts";

type Row = [
  reply: string,
  max: number,
  flags: string,
  actions: string,
  run: number,
  observation?: string,
  reasoning?: string,
  prediction?: string,
];

const ACTIONS = ["Left", "Down", "Right", "Up"];

/** What the reference makes of a reply, in its own terms; nothing ends the game. */
function read(key: string, [reply, maxActions]: Row) {
  const [generation, format] = key.split("/") as [ReadingId, FormatId];
  const parsed = parseReply(reply, { format, reading: generation, actions: ACTIONS, maxActions });
  const known = parsed.actions.map((name) => ACTIONS.includes(name));
  const run = known.includes(false) ? known.indexOf(false) : known.length;
  const executed = known.slice(0, run + 1).map((valid) => ({ valid }));
  const { isValid, earnsFormat: earns } = readings.get(generation);
  const turn = { parsed, executed, areKnown: !known.includes(false) };
  const actionIsValid = isValid(turn);
  const paid = earnsFormat({ parsed, actionIsValid, ...(earns && { formatEarned: earns(turn) }) });
  const flags = (parsed.formatOk ? "f" : "") + (actionIsValid ? "v" : "") + (paid ? "p" : "");
  const { observation, reasoning, prediction } = parsed;
  // Lite's parser hands actions over in lower case; ours in the spelling of the game.
  const written = parsed.actions.join(",");
  const actions = generation === "lite" ? written.toLowerCase() : written;
  return [reply, maxActions, flags, actions, run, observation, reasoning, prediction];
}

it("has the formats of both generations", () => expect(Object.keys(golden.cases)).toHaveLength(8));

describe.each(Object.entries(golden.cases as unknown as Record<string, Row[]>))("%s", (key, rows) => {
  it("is read and graded as in VAGEN", () => {
    expect(rows).toHaveLength(150);
    for (const row of rows) {
      const wanted = [...row, ...new Array<string>(8 - row.length).fill("")];
      expect(read(key, row)).toEqual(wanted);
    }
  });
});
