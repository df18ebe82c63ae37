import { expect, it } from "vitest";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { CASES, startParameters, trainingTokens } from "./cases.ts";
import { ourImplementation } from "./ours.ts";

it("learns the tokens that it is trained on", async () => {
  const bench = { ...CASES[0]!, batch: 2, context: 32, prompt: 16 };
  const ours = await ourImplementation(await requestNodeGpu(), bench);
  await ours.resetTraining();
  const losses: number[] = [];
  for (let step = 0; step < 3; step++) {
    await ours.trainStep(trainingTokens(bench, 0));
    losses.push(await ours.lastLoss());
  }
  ours.dispose();
  // Weight decay alone moves the loss by a few thousandths.
  expect(losses[1]! - losses[0]!).toBeLessThan(-0.05);
  expect(losses[2]! - losses[1]!).toBeLessThan(-0.05);
});

it("makes the same steps in a row as one by one", async () => {
  const bench = { ...CASES[0]!, batch: 2, context: 32, prompt: 16 };
  const ours = await ourImplementation(await requestNodeGpu(), bench);
  const batches = [0, 1, 2].map((step) => trainingTokens(bench, step));
  const { params } = ours.engine.buffers;
  await ours.resetTraining();
  for (const ids of batches) await ours.trainStep(ids);
  const singly = await ours.engine.readFlat(params);
  await ours.resetTraining();
  await ours.trainRow!(batches);
  const together = await ours.engine.readFlat(params);
  ours.dispose();
  expect(together).toEqual(singly);
  expect(singly).not.toEqual(startParameters(bench));
});
