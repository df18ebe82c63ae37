// Options of SVG reconstruction in a dataset's entry.
import { entry, type KeyMapping } from "../key-mapping.ts";

export const svgKeys: readonly KeyMapping[] = [
  ...entry.ignored(
    "Similarity is measured without a neural network: `ms_ssim_weight`, `edge_weight` and `color_weight`.",
    [
      "config.dino_weight",
      "config.dreamsim_weight",
      "config.structural_weight",
      "config.model_size",
      "config.device",
    ],
  ),
  ...entry.ignored("Icons are made from the seed; there are as many as wanted.", [
    "config.dataset_name",
    "config.data_dir",
    "config.split",
    "config.seed",
  ]),
  ...entry.ignored("A refused drawing earns nothing, which is VAGEN's default.", ["config.format_penalty"]),
].map((mapping) => ({ ...mapping, env: "svg" }));
