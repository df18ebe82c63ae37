// A run's models in the page, on onnxruntime-node: files that the person chose.
import { expect, it } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { pixelModel } from "../onnx/test-pixel-model.ts";
import { openSession } from "../onnx/testing.ts";
import { openPaidModels } from "../run/similarity-models.ts";
import { pageModels } from "./page-models.ts";

const config = checkedRunConfig({ env: { name: "svg", config: { dino_weight: 1 } } });
const chosen = (content: BlobPart) =>
  pageModels({ dino: new File([content], "mine.onnx") }, (onnx) => openSession(onnx));

it("are opened when the run is built, and once", async () => {
  const models = chosen(pixelModel());
  await openPaidModels(config, models);
  expect(await models.open("dino")).toBe(await models.open("dino"));
  await models.release();
});

it("are refused with the name of the file, or where to choose one", async () => {
  await expect(openPaidModels(config, chosen("no model"))).rejects.toThrow("mine.onnx cannot be used: ");
  await expect(openPaidModels(config, pageModels({}, openSession))).rejects.toMatchObject({
    message: "env.config.dino_weight is 1, but no DINOv2 model was given.",
    hint: "Choose its ONNX file under Configure → Task, or next to Resume, or set env.config.dino_weight to 0.",
  });
});
