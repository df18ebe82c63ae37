// Every key of VAGEN's trainer and dataset files that changes the method or the run, as the releases have them.

const under = (prefix: string, names: string): string[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `${prefix}.${name}`);

const ACTOR = "actor_rollout_ref.actor";
const ROLLOUT = "actor_rollout_ref.rollout";

export const LEGACY_TRAINER_KEYS: readonly string[] = [
  ...under("data", "train_files val_files max_prompt_length max_response_length max_trajectory_length"),
  ...under("data", "train_batch_size val_batch_size shuffle filter_overlong_prompts truncation"),
  ...under("data", "image_key prompt_key"),
  "actor_rollout_ref.hybrid_engine",
  ...under("actor_rollout_ref.model", "path enable_gradient_checkpointing use_remove_padding"),
  ...under(ACTOR, "strategy ppo_mini_batch_size ppo_micro_batch_size ppo_micro_batch_size_per_gpu"),
  ...under(ACTOR, "use_dynamic_bsz ppo_max_token_len_per_gpu grad_clip grad_norm_threshold clip_ratio"),
  ...under(ACTOR, "entropy_coeff use_kl_loss kl_loss_coef kl_loss_type ppo_epochs shuffle"),
  ...under(ACTOR, "optim.lr optim.lr_warmup_steps_ratio optim.warmup_style"),
  "actor_rollout_ref.ref.use_ref",
  ...under(ROLLOUT, "name temperature top_k top_p n tensor_model_parallel_size gpu_memory_utilization"),
  ...under(ROLLOUT, "enforce_eager free_cache_engine enable_chunked_prefill max_num_batched_tokens"),
  ...under(ROLLOUT, "max_num_seqs limit_mm_per_prompt"),
  ...under("critic", "optim.lr model.path cliprange_value use_reward_mask grad_clip"),
  ...under("reward_model", "enable reward_manager"),
  ...under("algorithm", "gamma lam high_level_gamma adv_estimator kl_penalty kl_ctrl.type kl_ctrl.kl_coef"),
  ...under("algorithm.kl_ctrl", "target_kl horizon"),
  ...under("trainer", "total_epochs total_training_steps project_name experiment_name logger"),
  ...under("trainer", "val_generations_to_log_to_wandb nnodes n_gpus_per_node save_freq test_freq"),
  ...under("trainer", "resume_mode resume_from_path critic_warmup balance_batch default_local_dir"),
  ...under("trainer", "remove_previous_ckpt_in_save del_local_ckpt_after_load val_before_train val_only"),
  ...under("rollout_manager", "max_trajectory_length window_size max_turns n_trajectory truncation"),
  ...under("rollout_manager", "use_multi_turn_reward use_loss_mask use_gae_mask special_token_for_loss_mask"),
  ...under("rollout_manager", "use_service base_url timeout max_workers mini_batch_size n_gpus_per_node"),
];

export const LITE_TRAINER_KEYS: readonly string[] = [
  ...under("data", "train_files val_files max_prompt_length max_response_length train_batch_size"),
  ...under("data", "return_raw_chat return_multi_modal_inputs apply_chat_template_kwargs.enable_thinking"),
  ...under("data", "custom_cls.path custom_cls.name"),
  "actor_rollout_ref.hybrid_engine",
  ...under(ROLLOUT, "name mode n multi_turn.enable agent.agent_loop_config_path temperature top_p top_k"),
  ...under(ROLLOUT, "gpu_memory_utilization tensor_model_parallel_size val_kwargs.temperature val_kwargs.n"),
  ...under(ACTOR, "clip_ratio clip_ratio_low clip_ratio_high clip_ratio_c loss_agg_mode entropy_coeff"),
  ...under(ACTOR, "policy_loss.loss_mode ppo_epochs ppo_mini_batch_size use_kl_loss kl_loss_coef"),
  ...under(ACTOR, "kl_loss_type grad_clip optim.lr optim.weight_decay checkpoint.save_contents"),
  ...under("critic", "enable optim.lr cliprange_value model.path"),
  ...under("algorithm", "gamma lam adv_estimator use_kl_in_reward kl_penalty kl_ctrl.type kl_ctrl.kl_coef"),
  ...under("algorithm", "norm_adv_by_std_in_grpo rollout_correction.rollout_is"),
  ...under("trainer", "val_before_train skip_pad_tokens replace_image_tokens_for_logging concat_multi_turn"),
  ...under("trainer", "max_actor_ckpt_to_keep max_critic_ckpt_to_keep rollout_data_dir validation_data_dir"),
  ...under("trainer", "log_image.enable log_image.max_pending log_image.png_compress_level"),
  ...under("trainer", "log_val_generations default_local_dir save_freq test_freq total_training_steps"),
  ...under("trainer", "critic_warmup project_name experiment_name logger nnodes n_gpus_per_node val_only"),
  ...under("filter", "name filter_kwargs.top_p filter_kwargs.topk filter_kwargs.ddof enable"),
  ...under("huggingface_hub", "hf_save_freq repo_id private upload_contents"),
];

export const LEGACY_ENTRY_KEYS: readonly string[] = ["env_name", "train_size", "test_size"];
export const LITE_ENTRY_KEYS: readonly string[] =
  "name n_envs data_source seed seed_list max_turns response_length_per_turn".split(" ");

const LEGACY_SHARED =
  "format_reward image_placeholder special_token_list action_sep render_mode max_actions_per_step prompt_format " +
  "use_state_reward grounding_reward_weight worldmodeling_reward_weight min_actions_to_succeed";
const LITE_SHARED = "render_mode max_actions_per_step action_sep prompt_format format_reward success_reward";

/** Options by generation and environment. */
export const OPTION_KEYS = {
  legacy: {
    frozenlake: under("config", `${LEGACY_SHARED} size p desc is_slippery`),
    sokoban: under("config", `${LEGACY_SHARED} dim_room max_steps num_boxes`),
  },
  lite: {
    frozenlake: under("config", `${LITE_SHARED} size p desc is_slippery slip_prob use_example_in_sys_prompt`),
    sokoban: under(
      "config",
      `${LITE_SHARED} dim_room max_steps num_boxes min_solution_steps reset_seed_max_tries min_solution_bfs_max_depth`,
    ),
  },
} as const;
