// Options of SVG reconstruction in a dataset's entry.
import { entry, type KeyMapping, legacyEntry, liteEntry } from "../key-mapping.ts";

const ICONS =
  "The studio has icons of its own. Set env.config.icons to a set such as all_train; shapes, the default, makes icons from the seed.";

const OWN_MEASURES = "`ms_ssim_weight`, `edge_weight` and `color_weight`";

/** The weight of a neural network, which VAGEN downloads and the studio's user supplies. */
const modelWeight = (kind: string, title: string): KeyMapping =>
  entry(`config.${kind}_weight`, `env.config.${kind}_weight`, {
    default: 0,
    assumed: true,
    readsNull: true,
    converted: `\`null\` is 0. Above 0, a run needs the ONNX file of a ${title} model.`,
    read(weight) {
      if (typeof weight !== "number" || weight <= 0) return { value: weight ?? 0 };
      const note = `A run needs the ONNX file of a ${title} model: give it with --similarity ${kind}=<file.onnx>, or choose it in the page under Configure → Task. The studio's own measures are paid as well; for VAGEN's score alone, set ${OWN_MEASURES} to 0.`;
      return { value: weight, note };
    },
  });

export const svgKeys: readonly KeyMapping[] = [
  modelWeight("dino", "DINOv2"),
  modelWeight("dreamsim", "DreamSim"),
  ...entry.ignored(`Structure is measured in another way: ${OWN_MEASURES}.`, ["config.structural_weight"]),
  ...entry.ignored("The ONNX file that you supply decides the size of a model.", ["config.model_size"]),
  ...entry.ignored("Models run on the processor.", ["config.device"]),
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
