import { expect, it } from "vitest";
import type { EventKind, ReplayEvent } from "../../replay/events.ts";
import { momentsOf } from "./event-look.ts";

it("puts the most important of several events at one time first", () => {
  const event = (kind: EventKind): ReplayEvent => ({ kind, turn: 0, phase: "verdict", text: kind });
  const events = [event("wrong_prediction"), event("lost"), event("invalid_action")];
  const phases = [{ kind: "verdict", turn: 0, from: 5, to: 9 }];
  const [moment] = momentsOf({ events, timeline: { phases } } as never);
  expect(moment).toMatchObject({ ms: 5, kind: "lost" });
  expect(moment!.events.map(({ kind }) => kind)).toEqual(["lost", "invalid_action", "wrong_prediction"]);
});

it("comes to a wrong belief when its words have been said, where its verdict is shown", () => {
  const event: ReplayEvent = { kind: "wrong_belief", turn: 0, phase: "observation", text: "" };
  const phases = ["look", "observation", "reasoning", "verdict"].map((kind, i) => ({
    ...{ kind, turn: 0, from: i, to: i + 1 },
  }));
  expect(momentsOf({ events: [event], timeline: { phases } } as never)[0]!.ms).toBe(2);
});
