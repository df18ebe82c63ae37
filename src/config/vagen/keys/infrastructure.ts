// Keys for clusters, files and logging. None has a counterpart; the export writes those that VAGEN needs.
import { both, type KeyMapping, legacy, lite } from "../key-mapping.ts";
import { FILES, HARDWARE, LOGGING, MODEL, REWARD_MODEL, STORAGE, TEXT } from "./reasons.ts";

const PLACEHOLDER_MODEL = "Qwen/Qwen2.5-VL-3B-Instruct";

const data: readonly KeyMapping[] = [
  legacy.written("data.train_files", FILES, () => "data/studio/train.parquet"),
  legacy.written("data.val_files", FILES, () => "data/studio/test.parquet"),
  lite.written("data.train_files", FILES, () => "train.yaml"),
  lite.written("data.val_files", FILES, () => "val.yaml"),
  ...both.ignored("All validation levels are played each time: trainer.val_size.", ["data.val_batch_size"]),
  ...both.ignoredIn(
    "data",
    FILES,
    `shuffle seed filter_overlong_prompts filter_overlong_prompts_workers image_key video_key
    prompt_key reward_fn_key return_raw_input_ids return_raw_chat return_full_prompt
    return_multi_modal_inputs custom_cls.* sampler.* dataloader_num_workers validation_shuffle
    use_shm trust_remote_code`,
  ),
  ...both.ignoredIn("data", TEXT, "max_prompt_length truncation tokenizer apply_chat_template_kwargs.*"),
];

const model: readonly KeyMapping[] = [
  both.written("actor_rollout_ref.model.path", MODEL, () => PLACEHOLDER_MODEL),
  both.written("critic.model.path", MODEL, () => PLACEHOLDER_MODEL),
  ...both.ignored(MODEL, ["actor_rollout_ref.model.*", "critic.model.*"]),
  ...both.ignored(HARDWARE, ["actor_rollout_ref.hybrid_engine", "actor_rollout_ref.ref.*"]),
  ...both.ignored(STORAGE, ["actor_rollout_ref.actor.checkpoint.*", "critic.checkpoint.*"]),
  ...both.ignored(REWARD_MODEL, ["reward_model.*", "custom_reward_function.*", "reward.*"]),
];

const trainer: readonly KeyMapping[] = [
  ...both.ignored(
    "A run's length is counted in updates: here trainer.total_training_steps, in the studio trainer.total_updates.",
    ["trainer.total_epochs"],
  ),
  both.written("trainer.project_name", LOGGING, () => "vagen-studio"),
  ...both.ignoredIn(
    "trainer",
    LOGGING,
    `logger val_generations_to_log_to_wandb log_val_generations log_image.* rollout_data_dir
    validation_data_dir skip_pad_tokens skip_special_tokens_train skip_special_tokens_val
    replace_image_tokens_for_logging profile_steps val_log_select val_log_success_ratio`,
  ),
  ...lite.ignored(MODEL, ["trainer.model_adapter"]),
  ...lite.ignored(STORAGE, ["trainer.save_best_actor"]),
  ...lite.ignored(HARDWARE, ["critic.fsdp.*"]),
  ...lite.ignored("Seeds that the studio draws follow from the data set's own text.", ["data.base_seed"]),
  ...lite.ignored("Belongs to VAGEN's own evaluator; here it is the command eval.", [
    "run.*",
    "backends.*",
    "experiment.*",
    "fileroot",
    "default_chat_config.*",
  ]),
  ...both.ignored(STORAGE, [
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
  ...both.ignored(HARDWARE, [
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
  ...both.ignored("The studio always validates before the first update of PPO.", [
    "trainer.val_before_train",
  ]),
  ...both.ignored("To validate only, use the command eval.", ["trainer.val_only"]),
  ...both.ignored("Composes the file from others.", ["defaults", "hydra.*", "env_registry.*"]),
];

export const infrastructureKeys: readonly KeyMapping[] = [...data, ...model, ...trainer];
