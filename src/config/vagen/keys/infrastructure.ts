// Keys of a cluster, of files and of logging. None has a counterpart; some are written because VAGEN needs them.
import { ignored, type Row, written } from "../row.ts";
import { FILES, HARDWARE, LOGGING, MODEL, REWARD_MODEL, STORAGE, TEXT } from "./reasons.ts";

const PLACEHOLDER_MODEL = "Qwen/Qwen2.5-VL-3B-Instruct";

const data: readonly Row[] = [
  written("data.train_files", FILES, () => "data/studio/train.parquet", ["legacy"]),
  written("data.val_files", FILES, () => "data/studio/test.parquet", ["legacy"]),
  written("data.train_files", FILES, () => "train.yaml", ["lite"]),
  written("data.val_files", FILES, () => "val.yaml", ["lite"]),
  ...ignored("All validation levels are played each time: trainer.val_size.", ["data.val_batch_size"]),
  ...ignored(FILES, [
    "data.shuffle",
    "data.seed",
    "data.filter_overlong_prompts",
    "data.filter_overlong_prompts_workers",
    "data.image_key",
    "data.video_key",
    "data.prompt_key",
    "data.reward_fn_key",
    "data.return_raw_input_ids",
    "data.return_raw_chat",
    "data.return_full_prompt",
    "data.return_multi_modal_inputs",
    "data.custom_cls.*",
    "data.sampler.*",
    "data.dataloader_num_workers",
    "data.validation_shuffle",
    "data.use_shm",
    "data.trust_remote_code",
  ]),
  ...ignored(TEXT, [
    "data.max_prompt_length",
    "data.truncation",
    "data.tokenizer",
    "data.apply_chat_template_kwargs.*",
  ]),
];

const model: readonly Row[] = [
  written("actor_rollout_ref.model.path", MODEL, () => PLACEHOLDER_MODEL),
  written("critic.model.path", MODEL, () => PLACEHOLDER_MODEL),
  ...ignored(MODEL, ["actor_rollout_ref.model.*", "critic.model.*"]),
  ...ignored(HARDWARE, ["actor_rollout_ref.hybrid_engine", "actor_rollout_ref.ref.*"]),
  ...ignored(STORAGE, ["actor_rollout_ref.actor.checkpoint.*", "critic.checkpoint.*"]),
  ...ignored(REWARD_MODEL, ["reward_model.*", "custom_reward_function.*", "reward.*"]),
];

const trainer: readonly Row[] = [
  ...ignored(
    "A run's length is counted in updates: here trainer.total_training_steps, in the studio trainer.total_updates.",
    ["trainer.total_epochs"],
  ),
  written("trainer.project_name", LOGGING, () => "vagen-studio"),
  ...ignored(LOGGING, [
    "trainer.logger",
    "trainer.val_generations_to_log_to_wandb",
    "trainer.log_val_generations",
    "trainer.log_image.*",
    "trainer.rollout_data_dir",
    "trainer.validation_data_dir",
    "trainer.skip_pad_tokens",
    "trainer.skip_special_tokens_train",
    "trainer.skip_special_tokens_val",
    "trainer.replace_image_tokens_for_logging",
    "trainer.profile_steps",
  ]),
  ...ignored(STORAGE, [
    "trainer.resume_mode",
    "trainer.resume_from_path",
    "trainer.default_local_dir",
    "trainer.default_hdfs_dir",
    "trainer.remove_previous_ckpt_in_save",
    "trainer.del_local_ckpt_after_load",
    "trainer.max_actor_ckpt_to_keep",
    "trainer.max_critic_ckpt_to_keep",
    "trainer.esi_redundant_time",
    "huggingface_hub.*",
  ]),
  ...ignored(HARDWARE, [
    "trainer.nnodes",
    "trainer.n_gpus_per_node",
    "trainer.balance_batch",
    "trainer.device",
    "trainer.ray_wait_register_center_timeout",
    "trainer.use_legacy_worker_impl",
    "ray_init.*",
    "ray_kwargs.*",
    "global_profiler.*",
  ]),
  ...ignored("The studio always validates before the first update of PPO.", ["trainer.val_before_train"]),
  ...ignored("To validate only, use the command eval.", ["trainer.val_only"]),
  ...ignored("Says how the file is put together from others.", ["defaults", "hydra.*", "env_registry.*"]),
];

export const infrastructureRows: readonly Row[] = [...data, ...model, ...trainer];
