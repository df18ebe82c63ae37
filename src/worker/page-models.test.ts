// A run's models in the page, on onnxruntime-node: files that the person chose.
import { describe, expect, it } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { loadEnv } from "../envs/index.ts";
import { pictureOf } from "../envs/svg/svg.ts";
import type { EmbeddingSession } from "../onnx/image-similarity.ts";
import { pixelModel } from "../onnx/test-pixel-model.ts";
import { openSession } from "../onnx/testing.ts";
import { openPaidModels } from "../run/similarity-models.ts";
import { pageModels } from "./page-models.ts";

await loadEnv("svg");

const config = checkedRunConfig({ env: { name: "svg", config: { dino_weight: 1 } } });
const fileOf = (content: BlobPart, name = "mine.onnx") => new File([content], name);
const chosen = (content: BlobPart) => pageModels({ dino: fileOf(content) }, openSession).models;

it("are opened when the run is built, and once", async () => {
  const models = chosen(pixelModel());
  await openPaidModels(config, models);
  expect(await models.open("dino")).toBe(await models.open("dino"));
  await models.release();
});

it("are refused with the name of the file, or where to choose one", async () => {
  await expect(openPaidModels(config, chosen("no model"))).rejects.toThrow("mine.onnx cannot be used: ");
  await expect(openPaidModels(config, pageModels({}, openSession).models)).rejects.toMatchObject({
    message: "env.config.dino_weight is 1, but no DINOv2 model was given.",
    hint: "Choose its ONNX file under Configure → Task, or next to Resume, or set env.config.dino_weight to 0.",
  });
});

describe("another file during a run", () => {
  const drawer = { picture: pictureOf };
  const filled = (color: string) =>
    `<svg viewBox="0 0 64 64"><rect x="0" y="0" width="64" height="64" fill="${color}"/></svg>`;
  const pair = { icon: filled("red"), drawing: filled("maroon") };

  /** The run's models, of which one is open, and the most and the present number of sessions. */
  async function opened() {
    const sessions = { most: 0, now: 0 };
    const { models, take } = pageModels({ dino: fileOf(pixelModel()) }, async (onnx) => {
      const session: EmbeddingSession = await openSession(onnx);
      sessions.most = Math.max(sessions.most, ++sessions.now);
      const { inputNames, outputNames, inputMetadata } = session;
      const release = async () => {
        sessions.now--;
        await session.release();
      };
      const run = session.run.bind(session) as EmbeddingSession["run"];
      return { inputNames, outputNames, inputMetadata, run, release };
    });
    const score = () => models.compare("dino", pair, drawer);
    return { models, take, sessions, score, first: await score() };
  }

  it("takes the place of the one before, which is released, also for what waits to be compared", async () => {
    const { take, sessions, score, first } = await opened();
    const taken = take("dino", fileOf(pixelModel([1, 3, 8, 8], { output: "vector" }), "other.onnx"));
    const [waiting] = await Promise.all([score(), taken]);
    expect(sessions).toEqual({ most: 1, now: 1 });
    expect(waiting).not.toBe(first);
    expect(await score()).toBe(waiting);
  });

  it("is refused for what is wrong with it, even if the one before cannot be read any more", async () => {
    const file = fileOf(pixelModel());
    const { models, take } = pageModels({ dino: file }, openSession);
    await models.open("dino");
    file.arrayBuffer = () => Promise.reject(new Error("gone"));
    await expect(take("dino", fileOf("no model", "other.onnx"))).rejects.toThrow("other.onnx cannot be used");
    await expect(models.open("dino")).rejects.toThrow("mine.onnx");
  });

  it("leaves the one before where it is none", async () => {
    const { take, sessions, score, first } = await opened();
    const taken = take("dino", fileOf("no model", "other.onnx"));
    const [waiting] = await Promise.all([
      score(),
      expect(taken).rejects.toThrow("other.onnx cannot be used"),
    ]);
    expect([waiting, sessions]).toEqual([first, { most: 1, now: 1 }]);
  });

  it("is refused for a kind that the run does not use", async () => {
    const { take, sessions } = await opened();
    await expect(take("dreamsim", fileOf(pixelModel(), "other.onnx"))).rejects.toMatchObject({
      code: "invalid_config",
      message: "The run does not use the DreamSim model (dreamsim), so it cannot use other.onnx.",
    });
    expect(sessions).toEqual({ most: 1, now: 1 });
  });
});
