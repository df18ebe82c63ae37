// The smallest run that has everything, opened from a file as a person would.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { parse, stringify } from "yaml";

const presets = join(import.meta.dirname, "../../public/presets");

/** What a test may want otherwise. */
export interface TinyRun {
  readonly name?: string;
  /** Updates in all. */
  readonly updates?: number;
  /** Episodes of an update. */
  readonly episodes?: number;
  /** Whole sections of YAML to add. */
  readonly more?: string;
}

/**
 * The YAML of a run of a few updates from a bundled policy. Starting it is what costs the tests most of their time: few episodes
 * at a time and small micro-steps have kernels that a software adapter compiles quickly, and a loss without KL has no kernels of
 * a ref policy. The runs of presets (`smallPreset`) have one.
 */
export function tinyRun({ name = "Tiny lake", updates = 2, episodes = 2, more = "" }: TinyRun = {}): string {
  return `version: 1
name: ${name}
env: { name: frozenlake, config: { size: 4, p: 0.8, render_mode: vision, max_actions_per_step: 5 } }
rollout: { prompt_format: grounding_worldmodeling, max_turns: 3, train_batch_size: ${episodes}, response_length: 56 }
model: { hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 80 }
actor: { ppo_mini_batch_size: ${episodes}, ppo_epochs: 1, use_kl_loss: false }
trainer: { total_updates: ${updates}, test_freq: 50, val_size: 2, micro_batch_tokens: 512, init_checkpoint: frozenlake-nano-warmup }
sft: { train_batch_size: 4 }
${more}`;
}

/**
 * The YAML of a bundled preset with fewer, shorter episodes in small micro-steps, which a software adapter starts sooner.
 * @param updates of PPO; the preset's by default
 * @param episodes of an update and of a validation: kernels that decode are unrolled over them
 */
export function smallPreset(name: string, updates?: number, episodes = 4): string {
  const preset = parse(readFileSync(join(presets, `${name}.yaml`), "utf8"));
  preset.rollout.train_batch_size = preset.actor.ppo_mini_batch_size = episodes;
  preset.sft.train_batch_size = 4;
  preset.rollout.max_turns = Math.min(preset.rollout.max_turns, 3);
  Object.assign(preset.trainer, { micro_batch_tokens: 512, val_size: episodes });
  if (updates !== undefined) preset.trainer.total_updates = updates;
  return stringify(preset);
}

/** Opens `yaml` as a file on the page at `url`; resolves when this machine's size of it is known. */
export async function openConfig(page: Page, url: string, yaml: string): Promise<void> {
  await page.goto(`${url}#/train`);
  const file = { name: "run.yaml", mimeType: "text/yaml", buffer: Buffer.from(yaml) };
  await page.getByLabel("Open a configuration").setInputFiles(file);
  await page.getByText("the file run.yaml").waitFor({ state: "attached" });
  await page.getByTestId("size-estimate").waitFor();
}

/** The button that starts a run. */
export const startButton = (page: Page) => page.getByRole("button", { name: "Start training" });
