// Why keys of a training cluster have no setting in the studio.

export const HARDWARE =
  "Spreads the work over several GPUs; the studio uses one and plans its memory itself.";
export const MODEL =
  "Names or shapes a pretrained model; the studio trains its own policy, see model and trainer.init_checkpoint.";
export const ENGINE = "Belongs to the inference engine; the studio decodes with its own kernels.";
export const LOGGING = "Says where metrics and samples go; the studio charts and keeps all of them.";
export const STORAGE = "Says where and how checkpoints are kept; the studio has its own store.";
export const FILES = "Says how rows are read from files; the studio draws every level from a seed.";
export const TEXT =
  "Belongs to the chat template of a pretrained model; the studio's prompts have a fixed length.";
export const SERVICE = "Belongs to a server of environments; the studio plays them in the same process.";
export const ONE_OPTIMISER = "The studio has one such value for policy and critic, see actor.";
export const REWARD_MODEL = "VAGEN's tasks use no reward model, and the studio has none.";
export const SEEDS =
  "The studio trains on levels of seeds 1 to 10000 and validates from seed 10001 on, as the Lite examples do.";
