// What other libraries call a setting. Only for "Did you mean …?": a synonym is refused like any other unknown name.

/** By the last part of a setting's name. */
const SYNONYMS: Readonly<Record<string, string>> = {
  lr: "learning_rate step_size",
  weight_decay: "wd",
  lr_warmup_updates: "warmup warmup_steps warmup_updates lr_warmup lr_warmup_steps",
  lr_warmup_steps: "warmup warmup_steps warmup_updates lr_warmup lr_warmup_updates",
  grad_clip: "max_grad_norm grad_norm clip_grad gradient_clipping",
  train_batch_size: "batch_size batch",
  ppo_mini_batch_size: "mini_batch_size minibatch_size",
  ppo_epochs: "epochs num_epochs n_epochs",
  total_updates:
    "updates num_updates steps total_steps max_steps training_steps total_training_steps iterations",
  gamma: "discount discount_factor",
  lam: "lambda gae_lambda gae_lam",
  adv_estimator: "advantage estimator",
  clip_ratio: "clip clip_range cliprange clip_eps clip_epsilon",
  entropy_coeff: "entropy ent_coef entropy_coef entropy_bonus",
  kl_loss_coef: "beta kl_beta kl_coef kl_coeff",
  vf_coef: "vf_coeff value_coef value_loss_coef",
  n_trajectory: "n group_size num_generations",
  max_turns: "turns max_steps max_episode_steps",
  response_length: "max_tokens max_new_tokens max_response_length",
  temperature: "temp",
  num_hidden_layers: "layers n_layers num_layers",
  num_attention_heads: "heads n_heads num_heads",
  hidden_size: "d_model embed_dim hidden_dim",
  test_freq: "eval_freq val_freq eval_interval",
  save_freq: "save_steps save_interval checkpoint_freq",
  init_checkpoint: "checkpoint pretrained",
};

/** Whether two last parts mean the same, however their words are joined: `LearningRate` and `lr`. */
export const isSynonym = (typed: string, name: string): boolean =>
  [name, ...(SYNONYMS[name]?.split(" ") ?? [])].some((word) => letters(word) === letters(typed));

const letters = (word: string): string => word.toLowerCase().replace(/[_-]/g, "");
