// Options of SVG reconstruction in a dataset's entry.
import { entry, type KeyMapping, legacyEntry, liteEntry } from "../key-mapping.ts";

const ICONS =
  "The studio has icons of its own. Set env.config.icons to a set such as all_train; shapes, the default, makes icons from the seed.";

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
  // Without one of its own options an entry of RemoteEnv could be any environment.
  liteEntry.written("config.dataset_name", ICONS, () => "starvector/svg-icons-simple"),
  ...legacyEntry.ignored(ICONS, ["config.dataset_name"]),
  ...entry.ignored(ICONS, ["config.data_dir"]),
  ...entry.ignored(
    "The studio's sets have a part to train on and one to evaluate on. Set env.config.icons to one such as mdi_train, and in trainer.val_sets to its mdi_test.",
    ["config.split"],
  ),
  ...entry.ignored(
    "The seed of a level chooses its icon; trainer.train_seeds and trainer.val_seeds name the levels.",
    ["config.seed"],
  ),
  legacyEntry("config.format_penalty", "env.config.format_penalty", { default: 0 }),
  liteEntry("config.format_penalty", "env.config.format_penalty", {
    default: 0,
    note: "In Lite a refused drawing also ends the episode; here, as in the legacy release, the next turn may draw again.",
  }),
].map((mapping) => ({ ...mapping, env: "svg" }));
