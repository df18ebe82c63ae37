// What other libraries call a setting. Only for "Did you mean …?": a synonym is refused like any other unknown name.

/** By the last part of a setting's name. */
const SYNONYMS = new Map(
  Object.entries({
    lr: "learning_rate step_size lr_rate actor_learning_rate critic_learning_rate",
    weight_decay: "wd",
    lr_warmup_updates: "warmup warmup_steps warmup_updates warmup_ratio lr_warmup lr_warmup_steps",
    lr_warmup_steps: "warmup warmup_steps warmup_updates warmup_ratio lr_warmup lr_warmup_updates",
    critic_warmup: "critic_warmup_steps critic_warmup_updates",
    grad_clip: "max_grad_norm grad_norm clip_grad gradient_clipping max_norm",
    train_batch_size: "batch_size batch episodes rollout_batch_size n_steps per_device_train_batch_size",
    ppo_mini_batch_size: "mini_batch_size minibatch_size",
    micro_batch_tokens: "micro_batch_size micro_train_batch_size ppo_micro_batch_size",
    ppo_epochs: "epochs num_epochs n_epochs max_epochs num_train_epochs num_ppo_epochs num_iterations",
    total_updates:
      "updates num_updates steps total_steps max_steps training_steps total_training_steps iterations total_timesteps",
    gamma: "discount discount_factor",
    lam: "lambda lambd lamda gae_lambda gae_lam",
    adv_estimator: "advantage estimator advantage_estimator",
    clip_ratio: "clip clip_range cliprange clip_eps eps_clip clip_epsilon epsilon",
    cliprange_value: "clip_range clip_range_vf value_clip",
    entropy_coeff: "entropy ent_coef entropy_coef entropy_bonus",
    kl_loss_coef: "beta kl_beta kl_coef kl_coeff init_kl_coef",
    vf_coef: "vf_coeff value_coef value_loss_coef",
    n_trajectory: "n group_size num_generations n_samples_per_prompt",
    max_turns: "turns max_steps max_episode_steps",
    response_length: "max_tokens max_new_tokens max_response_length max_completion_length generate_max_len",
    max_tokens: "max_new_tokens max_response_length",
    temperature: "temp",
    num_hidden_layers: "layers n_layers n_layer num_layers depth",
    num_attention_heads: "heads n_heads n_head num_heads",
    hidden_size: "d_model embed_dim hidden_dim n_embd",
    num_boxes: "boxes n_boxes",
    size: "map_size board_size",
    val_size: "val_episodes eval_episodes",
    test_freq: "eval_freq val_freq eval_interval eval_steps",
    save_freq: "save_steps save_interval checkpoint_freq",
    init_checkpoint: "checkpoint pretrained",
  }).map(([name, words]) => [name, words.split(" ").map(letters)]),
);

/** Whether two names have the same letters, however their words are joined: `maxTurns` and `max_turns`. */
export const isSameWord = (typed: string, name: string): boolean => letters(typed) === letters(name);

/** Whether two last parts mean the same: `LearningRate` and `lr`. */
export const isSynonym = (typed: string, name: string): boolean =>
  isSameWord(typed, name) || (SYNONYMS.get(name)?.includes(letters(typed)) ?? false);

/** The settings that have synonyms, by the last part of their names. */
export const namesWithSynonyms = (): string[] => [...SYNONYMS.keys()];

function letters(word: string): string {
  return word.toLowerCase().replace(/[._-]/g, "");
}
