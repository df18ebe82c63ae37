import { expect, test } from "vitest";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import { withCriticFromPolicy } from "./critic-from-policy.ts";

const tensor = (...numbers: number[]) => ({ shape: [numbers.length], data: Float32Array.from(numbers) });
const checkpointOf = (critic: string): Checkpoint =>
  ({
    meta: { runId: "r", architecture: { critic, patch: 4 } },
    tensors: new Map([
      ["param.embed.weight", tensor(1, 2)],
      ["adam.m.embed.weight", tensor(3, 4)],
    ]),
  }) as unknown as Checkpoint;

test("a separate critic begins as a copy of the policy's backbone", () => {
  const { meta, tensors } = withCriticFromPolicy(checkpointOf("head"), { critic: "separate" });
  expect(meta.architecture).toEqual({ critic: "separate", patch: 4 });
  expect([...tensors.keys()]).toEqual([
    "param.embed.weight",
    "adam.m.embed.weight",
    "param.critic.embed.weight",
  ]);
  expect(tensors.get("param.critic.embed.weight")!.data).toEqual(Float32Array.of(1, 2));
});

test.each([
  ["head", "head"],
  ["separate", "separate"],
  ["separate", "head"],
] as const)("a checkpoint with a critic %s for a model with a critic %s stays as it is", (found, wanted) => {
  const checkpoint = checkpointOf(found);
  expect(withCriticFromPolicy(checkpoint, { critic: wanted })).toEqual(checkpoint);
});
