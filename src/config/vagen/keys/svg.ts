// Options of SVG reconstruction in a dataset's entry.
import { entry, type KeyMapping, legacyEntry, liteEntry, type Source } from "../key-mapping.ts";

const ICONS =
  "The studio has icons of its own. Set env.config.icons to a set such as all_train; shapes, the default, makes icons from the seed.";

const OWN_MEASURES = "`ms_ssim_weight`, `edge_weight` and `color_weight`";
const ALSO_PAID = `The studio's own measures are paid as well; for VAGEN's score alone, set ${OWN_MEASURES} to 0.`;

/** Whether an entry pays one of VAGEN's measures. */
const isPaid = (source: Source, weight: string): boolean => Number(source.entry(`config.${weight}`)) > 0;

/** The weight of a neural network, which VAGEN downloads and the studio's user supplies. */
const modelWeight = (kind: string, title: string): KeyMapping =>
  entry(`config.${kind}_weight`, `env.config.${kind}_weight`, {
    default: 0,
    assumed: true,
    readsNull: true,
    converted: `\`null\` is 0. Above 0, a run needs the ONNX file of a ${title} model.`,
    read(weight) {
      if (typeof weight !== "number" || weight <= 0) return { value: weight ?? 0 };
      const note = `A run needs the ONNX file of a ${title} model: give it with --similarity ${kind}=<file.onnx>, or choose it in the page under Configure → Task. ${ALSO_PAID}`;
      return { value: weight, note };
    },
  });

/** What VAGEN's examples pay for a drawing at most, beside a format reward of 0.5: 5 in the legacy release, 15 in Lite. */
const SCALE = `Beside it the studio's own measures pay a drawing at most 1, where VAGEN's examples pay 5 (legacy) or 15 (Lite). Raise ${OWN_MEASURES} in proportion, so that the format does not count for more than the drawing.`;

const WEIGHTS = ["dino_weight", "structural_weight", "dreamsim_weight"];

export const svgKeys: readonly KeyMapping[] = [
  modelWeight("dino", "DINOv2"),
  modelWeight("dreamsim", "DreamSim"),
  entry("config.structural_weight", "env.config.structural_weight", {
    default: 0,
    assumed: true,
    readsNull: true,
    converted: "`null` is 0.",
    read: (weight) =>
      typeof weight === "number" && weight > 0 ? { value: weight, note: ALSO_PAID } : { value: weight ?? 0 },
  }),
  entry("config.format_reward", "env.config.format_reward", {
    read: (value, source) => ({
      value,
      ...(!WEIGHTS.some((weight) => isPaid(source, weight)) && { note: SCALE }),
    }),
    converted: `Where a file gives none of VAGEN's weights of similarity a value above 0, the report says: ${SCALE}`,
  }),
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
  entry("config.format_penalty", "env.config.format_penalty", { default: 0 }),
].map((mapping) => ({ ...mapping, env: "svg" }));
