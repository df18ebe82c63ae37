// The example scripts of VAGEN's legacy release (13) and of Lite (20), and launchers of August 2026: what each becomes here,
// or the one thing that is missing.
import { describe, expect, test } from "vitest";
import { estimators } from "../../rl/advantage/index.ts";
import { missingTask, ofKind } from "./findings.ts";
import { importVagen } from "./import.ts";
import type { VagenFile } from "./parse/file.ts";
import {
  flagsFile,
  launcher,
  legacyDataset,
  legacyRun,
  legacyTmux,
  liteDataset,
  liteScript,
  variable,
} from "./testing/scripts.ts";

type Row = [script: string, files: VagenFile[], expected: Record<string, unknown> | { missing: string }];

const legacyEntry = (name: string, options: string) => `
env_name: ${name}
env_config:
${options
  .trim()
  .split("\n")
  .map((line) => `    ${line.trim()}`)
  .join("\n")}
train_size: 10000
test_size: 128`;

const game = (name: string, format: string, judged = false) =>
  legacyDataset(
    legacyEntry(
      name,
      `render_mode: vision\nprompt_format: ${format}\nuse_state_reward: ${judged ? "True" : "false"}`,
    ),
  );
const skill = (id: string) =>
  legacyEntry(
    "primitive_skill",
    `render_mode: vision\nprompt_format: grounding_worldmodeling\nenv_id: "${id}" # of four`,
  );
const rooms = (set: string) =>
  legacyEntry("navigation", `render_mode: vision\nprompt_format: grounding_worldmodeling\neval_set: ${set}`);
const drawing = (split: string) =>
  legacyEntry("svg", `split: ${split}\ndino_weight: 0.0001\ndreamsim_weight: 5.0`);

const skills = legacyDataset(
  ...["AlignTwoCube", "PlaceTwoCube", "PutAppleInDrawer", "StackThreeCube"].map(skill),
);
const homes = legacyDataset(rooms("base"), rooms("common_sense"));
const drawings = legacyDataset(drawing("train"), drawing("test"));

const legacyKeys = (
  estimator: string,
  levels: number,
  group: number,
  turnGamma: number,
  more: object = {},
) => ({
  "algorithm.adv_estimator": estimator,
  "algorithm.high_level_gamma": turnGamma,
  "data.train_batch_size": levels,
  "rollout_manager.n_trajectory": group,
  ...more,
});
const everyTurn = { "rollout_manager.use_multi_turn_reward": "True" };

/** What all legacy scripts on the two games have in common. */
const legacyGame = (name: string, format: string, estimator: string, more: object = {}) => ({
  "env.name": name,
  "env.config.render_mode": "vision",
  "env.config.success_reward": 10,
  "rollout.prompt_format": format,
  "rollout.max_turns": 3,
  "rollout.response_length": 200,
  "rollout.max_episode_tokens": 2400 - 1024,
  "rollout.temperature": 0.7,
  "rollout.top_p": 0.95,
  "algorithm.adv_estimator": estimator,
  "algorithm.use_kl_in_reward": true,
  "algorithm.kl_coef": 0.001,
  "actor.use_kl_loss": false,
  "actor.ppo_mini_batch_size": 32,
  "trainer.total_updates": 300,
  "trainer.test_freq": 20,
  "trainer.save_freq": 150,
  "trainer.val_size": 128,
  ...more,
});

const LEGACY: Row[] = [
  [
    "masked_grpo/frozenlake/run_tmux.sh",
    [legacyTmux(legacyKeys("grpo", 16, 8, 1)), game("frozenlake", "free_think")],
    legacyGame("frozenlake", "free_think", "grpo", {
      "rollout.train_batch_size": 128,
      "rollout.n_trajectory": 8,
      "rollout.use_multi_turn_reward": false,
    }),
  ],
  [
    "masked_turn_ppo/frozenlake/run_tmux.sh",
    [
      legacyTmux(legacyKeys("turn_wise_gae", 64, 2, 1, { ...everyTurn, "critic.use_reward_mask": "True" })),
      game("frozenlake", "free_think"),
    ],
    legacyGame("frozenlake", "free_think", "turn_wise_gae", {
      "algorithm.high_level_gamma": 1,
      "rollout.train_batch_size": 128,
      "rollout.n_trajectory": 2,
      "rollout.use_multi_turn_reward": true,
    }),
  ],
  ...[legacyRun, legacyTmux].map((script): Row => {
    const expected = {
      "rollout.train_batch_size": 128,
      "rollout.n_trajectory": 2,
      "reward.use_state_reward": false,
    };
    return [
      `vagen_base/frozenlake/${script === legacyRun ? "run" : "run_tmux"}.sh`,
      [script(legacyKeys("masked_gae", 64, 2, 0.95)), game("frozenlake", "grounding_worldmodeling")],
      legacyGame("frozenlake", "grounding_worldmodeling", "masked_gae", expected),
    ];
  }),
  [
    "vagen_base/sokoban/run_tmux.sh",
    [
      legacyTmux(legacyKeys("masked_gae", 128, 1, 0.95), "use_state_reward=False"),
      game("sokoban", "grounding_worldmodeling"),
    ],
    legacyGame("sokoban", "grounding_worldmodeling", "masked_gae", {
      "reward.use_state_reward": false,
      "rollout.train_batch_size": 128,
      "env.config.min_solution_steps": [1, 5],
    }),
  ],
  [
    // It does not use the server, so it trains without the judge.
    "vagen_full/sokoban/run.sh",
    [
      legacyRun(legacyKeys("bi_level_gae", 128, 1, 0.95, everyTurn)),
      game("sokoban", "grounding_worldmodeling", true),
    ],
    legacyGame("sokoban", "grounding_worldmodeling", "bi_level_gae", {
      "algorithm.high_level_gamma": 0.95,
      "rollout.use_multi_turn_reward": true,
      "reward.use_state_reward": false,
    }),
  ],
  [
    "vagen_full/sokoban/run_tmux.sh",
    [
      legacyTmux(legacyKeys("bi_level_gae", 128, 1, 0.95, everyTurn), "use_state_reward=True"),
      game("sokoban", "grounding_worldmodeling", true),
    ],
    legacyGame("sokoban", "grounding_worldmodeling", "bi_level_gae", {
      "rollout.use_multi_turn_reward": true,
      "reward.use_state_reward": true,
      "reward.grounding_reward_weight": 0.5,
      "reward.judge_scoring": "vagen",
    }),
  ],
  ...[legacyRun, legacyTmux].map(
    (script): Row => [
      `vagen_base/navigation/${script === legacyRun ? "run" : "run_tmux"}.sh`,
      [script(legacyKeys("masked_gae", 128, 1, 0.95, { "rollout_manager.max_turns": 5 })), homes],
      {
        "algorithm.adv_estimator": "masked_gae",
        "env.name": "navigation",
        "env.config.eval_set": "base",
        "env.config.step_length": 0.5,
        "env.config.success_threshold": 1.5,
        "env.config.format_reward": 0.5,
        "env.config.success_reward": 10,
        "rollout.prompt_format": "grounding_worldmodeling",
        "rollout.max_turns": 5,
      },
    ],
  ),
  ...[legacyRun, legacyTmux].map(
    (script): Row => [
      `vagen_base/maniskill/${script === legacyRun ? "run" : "run_tmux"}.sh`,
      [script(legacyKeys("masked_gae", 64, 2, 0.95, { "rollout_manager.max_turns": 3 })), skills],
      {
        "algorithm.adv_estimator": "masked_gae",
        "env.name": "primitive-skill",
        "env.config.env_id": "AlignTwoCube",
        "env.config.format_reward": 0.5,
        "env.config.positions": "listed",
        "rollout.max_turns": 3,
      },
    ],
  ),
  ...[legacyRun, legacyTmux].map(
    (script): Row => [
      `vagen_base/svg/${script === legacyRun ? "run" : "run_tmux"}.sh`,
      [script(legacyKeys("masked_gae", 128, 1, 0.95, { "rollout_manager.max_turns": 2 })), drawings],
      {
        "algorithm.adv_estimator": "masked_gae",
        "env.name": "svg",
        "env.config.paid": "every_drawing",
        "env.config.dino_weight": 0.0001,
        "env.config.dreamsim_weight": 5,
        "env.config.format_reward": 0.5,
        "rollout.prompt_format": "free_think",
        "rollout.max_turns": 2,
      },
    ],
  ),
];

const liteEntry = (
  name: string,
  options: string,
  n = 10000,
  seed = "[1,10000,1]",
  turns = 5,
  tokens = 512,
) => `
name: ${name} # as registered
n_envs: ${n}
data_source: ${name.toLowerCase()}
seed: ${seed} # drawn from the range
max_turns: ${turns}
response_length_per_turn: ${tokens}
config:
${options
  .trim()
  .split("\n")
  .map((line) => `  ${line.trim()}`)
  .join("\n")}`;

/** Training and validation of one game, on Lite's own seeds. */
const liteGame = (name: string, options: string, more = ""): VagenFile[] => [
  liteDataset("train", liteEntry(name, options) + more),
  liteDataset("val", liteEntry(name, options, 256, "[10001,10256,1]") + more),
];
const lake = (mode: string) =>
  liteGame(
    "FrozenLake",
    `render_mode: ${mode}\nsize: 4\np: 0.8\nis_slippery: false\nslip_prob: 0.0\nmax_actions_per_step: 5`,
  );
const boxes = (options: string) => liteGame("Sokoban", `${options}\nmin_solution_steps: [1,5]`);
const remote = (options: string, n: number, seed: string, turns: number) =>
  liteDataset(
    "train",
    liteEntry("RemoteEnv", `base_urls: "http://localhost:8000"\ntimeout: 120\n${options}`, n, seed, turns),
  );
const house = (...sets: string[]) =>
  liteDataset(
    "train",
    ...sets.map((set) =>
      liteEntry(
        "RemoteEnv",
        `base_urls: x\neval_set: ${set}\nprompt_format: eval_mode`,
        1200,
        "[1,1200,1]",
        10,
      ),
    ),
  );
/** What all of them have in common. */
const walk = {
  "algorithm.adv_estimator": "masked_gae",
  "env.name": "navigation",
  "env.config.render_mode": "vision",
  "env.config.step_length": 0.3,
  "env.config.success_threshold": 1,
  "env.config.format_reward": 0.01,
  "rollout.prompt_format": "eval_mode",
  "rollout.reply_reading": "lite",
  "rollout.max_turns": 10,
};
const gym = liteDataset(
  "train",
  liteEntry("SpatialGym", "exp_type: active\nmax_exp_steps: 10", 50, "[0,49,1]", 11, 2048),
);

const look = {
  "env.name": "spatial-gym",
  "env.config.task": "map",
  "env.config.max_exp_steps": 10,
  "env.config.observe_cost": 0.1,
  "env.config.map_success": 0,
  "env.config.format_reward": 0,
  "env.config.render_mode": "vision",
  "rollout.prompt_format": "free_think",
  "rollout.max_turns": 11,
};

const ppo = { "algorithm.adv_estimator": "gae", "data.train_batch_size": 128 };
const grpo = {
  "algorithm.adv_estimator": "grpo",
  "data.train_batch_size": 32,
  "actor_rollout_ref.rollout.n": 8,
};
const filtered = { "filter.enable": "True" };
const splitTurns = (tokens: number) => ({
  ...ppo,
  "algorithm.adv_estimator": "no_concat_gae",
  "trainer.concat_multi_turn": "False",
  "critic.enable": "True",
  "data.max_response_length": tokens,
});
const lora = {
  "actor_rollout_ref.model.lora_rank": 32,
  "actor_rollout_ref.model.target_modules": "all-linear",
  "actor_rollout_ref.rollout.load_format": "safetensors",
};

const liteCommon = (name: string, mode: string, format: string, estimator: string, more: object = {}) => ({
  "env.name": name,
  "env.config.render_mode": mode,
  "env.config.success_reward": 1,
  "rollout.prompt_format": format,
  "rollout.max_turns": 5,
  "rollout.response_length": 512,
  "rollout.temperature": 1,
  "algorithm.adv_estimator": estimator,
  "algorithm.use_kl_in_reward": false,
  "actor.entropy_coeff": 0,
  "reward.use_state_reward": false,
  "trainer.total_updates": 401,
  "trainer.train_seeds": "1-10000",
  "trainer.val_seeds": "",
  "trainer.val_size": 256,
  ...more,
});
const onePpo = {
  "rollout.train_batch_size": 128,
  "rollout.max_episode_tokens": 4000,
  "actor.ppo_mini_batch_size": 32,
};
const oneGrpo = {
  "rollout.train_batch_size": 256,
  "rollout.n_trajectory": 8,
  // 32 prompts with eight episodes each.
  "actor.ppo_mini_batch_size": 256,
  "algorithm.filter": "off",
};
const oneFiltered = {
  ...oneGrpo,
  "algorithm.filter": "reward_variance_top_p",
  "algorithm.filter_top_p": 0.9,
};
const oneSplit = {
  "trainer.harness": "no_concat",
  "rollout.window_size": 0,
  "rollout.max_episode_tokens": 0,
};

const LITE: Row[] = [
  [
    "frozenlake/train_ppo_qwen25vl3b.sh",
    [liteScript("lake", ppo), ...lake("vision")],
    liteCommon("frozenlake", "vision", "free_think", "masked_gae", onePpo),
  ],
  [
    "frozenlake/train_grpo_qwen25vl3b_text.sh",
    [liteScript("lake", grpo), ...lake("text")],
    liteCommon("frozenlake", "text", "free_think", "grpo", oneGrpo),
  ],
  [
    "frozenlake/train_grpo_qwen25vl3b_vision.sh",
    [liteScript("lake", grpo), ...lake("vision")],
    liteCommon("frozenlake", "vision", "free_think", "grpo", oneGrpo),
  ],
  [
    "frozenlake/train_grpo_qwen25vl3b_filtertopp_text.sh",
    [liteScript("lake", { ...grpo, ...filtered }), ...lake("text")],
    liteCommon("frozenlake", "text", "free_think", "grpo", oneFiltered),
  ],
  [
    "frozenlake/train_grpo_qwen25vl3b_filtertopp_vision.sh",
    [liteScript("lake", { ...grpo, ...filtered }), ...lake("vision")],
    liteCommon("frozenlake", "vision", "free_think", "grpo", oneFiltered),
  ],
  [
    "frozenlake/train_ppo_no_concat_lora_qwen25vl3b.sh",
    [liteScript("lake", { ...splitTurns(512), ...lora }), ...lake("vision")],
    liteCommon("frozenlake", "vision", "free_think", "no_concat_gae", oneSplit),
  ],
  [
    "sokoban/train_ppo_qwen25vl3b.sh",
    [liteScript("boxes", ppo), ...boxes("render_mode: vision")],
    liteCommon("sokoban", "vision", "wm", "masked_gae", {
      ...onePpo,
      "env.config.min_solution_steps": [1, 5],
    }),
  ],
  [
    "sokoban/train_ppo_no_concat_qwen25vl3b.sh",
    [liteScript("boxes", splitTurns(800)), ...boxes("render_mode: vision")],
    liteCommon("sokoban", "vision", "wm", "no_concat_gae", oneSplit),
  ],
  [
    "sokoban/train_grpo_qwen25vl3b.sh",
    [liteScript("boxes", grpo), ...boxes("render_mode: vision")],
    liteCommon("sokoban", "vision", "wm", "grpo", oneGrpo),
  ],
  [
    "sokoban/train_grpo_qwen25vl3b_filter.sh",
    [liteScript("boxes", { ...grpo, ...filtered }), ...boxes("render_mode: vision")],
    liteCommon("sokoban", "vision", "wm", "grpo", oneFiltered),
  ],
  [
    "sokoban/train_grpo_qwen3vl4b.sh",
    [liteScript("boxes", grpo), ...boxes("render_mode: vision\nprompt_format: free_wm")],
    liteCommon("sokoban", "vision", "free_wm", "grpo", oneGrpo),
  ],
  [
    "sokoban/train_grpo_qwen3_06b_lora_topo_filter_text.sh",
    [
      liteScript("boxes", {
        ...grpo,
        ...filtered,
        ...lora,
        "data.train_batch_size": 16,
        "actor_rollout_ref.rollout.n": 4,
        "actor_rollout_ref.actor.ppo_mini_batch_size": 16,
        "actor_rollout_ref.actor.optim.lr": "3e-5",
        "actor_rollout_ref.actor.use_kl_loss": "True",
        "actor_rollout_ref.actor.kl_loss_coef": 0.001,
      }),
      ...boxes("render_mode: text\nprompt_format: free_wm"),
    ],
    liteCommon("sokoban", "text", "free_wm", "grpo", {
      "rollout.train_batch_size": 64,
      "rollout.n_trajectory": 4,
      "actor.ppo_mini_batch_size": 64,
      "actor.lr": 3e-5,
      "actor.use_kl_loss": true,
      "actor.kl_loss_coef": 0.001,
      "actor.kl_loss_type": "k3",
      "algorithm.filter": "reward_variance_top_p",
    }),
  ],
  [
    "navigation/train_ppo_qwen25vl7b.sh",
    [liteScript("house", { ...ppo, "huggingface_hub.hf_save_freq": 200 }), house("base")],
    { ...walk, "env.config.eval_set": "base" },
  ],
  [
    "navigation/train_ppo_qwen25vl7b_base_common.sh",
    [liteScript("house", ppo), house("base_train", "common_sense_train")],
    { ...walk, "env.config.eval_set": "base_train" },
  ],
  [
    "navigation/train_ppo_qwen25vl7b_long_horizon.sh",
    [liteScript("house", ppo), house("long_horizon_train")],
    { ...walk, "env.config.eval_set": "long_horizon_train" },
  ],
  [
    "primitive_skill/train_ppo_qwen25vl3b.sh",
    [
      liteScript("skill", ppo),
      remote('env_id: AlignTwoCube\nprompt_format: wm\naction_sep: "|"', 5000, "[0, 4999]", 3),
    ],
    {
      "algorithm.adv_estimator": "masked_gae",
      "env.name": "primitive-skill",
      "env.config.env_id": "AlignTwoCube",
      "rollout.prompt_format": "wm",
    },
  ],
  ...["grpo_qwen25vl3b", "grpo_qwen25vl7b", "ppo_qwen25vl3b", "ppo_qwen25vl7b"].map(
    (script): Row => [
      `spatial_gym/train_${script}.sh`,
      [liteScript("gym", script.startsWith("grpo") ? grpo : ppo), gym],
      { ...look, "algorithm.adv_estimator": script.startsWith("grpo") ? "grpo" : "masked_gae" },
    ],
  ),
];

const measured = "\nmax_env_response_per_turn: 256";
const august = (options: string) =>
  liteGame("Sokoban", `${options}\nmin_solution_steps: [1,5]\nformat_reward: 0.02`, measured);
const augustLake = liteGame(
  "FrozenLake",
  "render_mode: vision\nsize: 4\np: 0.8\nis_slippery: false\nslip_prob: 0.0\nmax_actions_per_step: 5\nformat_reward: 0.02",
  measured,
);
const stated = [
  liteDataset("train", liteEntry("Sokoban", stateReward(0.01))),
  liteDataset(
    "val",
    liteEntry("Sokoban", stateReward(0.01), 3, "[1,2]").replace(
      /seed: .*/,
      "seed_list: [10001, 10002, 10008, 10010]",
    ),
  ),
];

function stateReward(each: number): string {
  return `render_mode: vision
format_reward: \${oc.env:SOKOBAN_FORMAT_REWARD,0.03}
min_solution_steps: [1,5]
state_reward: { state_estimation: { enable: true, reward: ${each} }, transition_prediction: { enable: true, reward: "\${oc.env:TRANSITION_PREDICTION_REWARD,${each}}" }, judge_base_url: "\${oc.env:JUDGE_BASE_URL,http://127.0.0.1:8123/v1}" }`;
}

const critic = { "critic.enable": "True" };
const augustCommon = (name: string, format: string, estimator: string, more: object = {}) => ({
  "env.name": name,
  "rollout.prompt_format": format,
  "rollout.max_turns": 5,
  "rollout.train_batch_size": 128,
  "rollout.use_multi_turn_reward": true,
  "algorithm.adv_estimator": estimator,
  "actor.lr": 1e-6,
  "actor.entropy_coeff": 0,
  "actor.loss_agg_mode": "token-mean",
  "critic.loss_agg_mode": "token-mean",
  "trainer.harness": "concat",
  "trainer.total_updates": 401,
  ...more,
});
const WM = "wm_2026";
const judge = `JUDGE_PORT=\${JUDGE_PORT:-8123}
JUDGE_BASE_URL=\${JUDGE_BASE_URL:-http://127.0.0.1:\${JUDGE_PORT}/v1}
cleanup() { kill "$JUDGE_PID" 2>/dev/null || true; }
trap cleanup EXIT
for _ in $(seq 1 90); do curl -sf -m 3 "\${JUDGE_BASE_URL%/v1}/health" >/dev/null && break; sleep 10; done`;

const AUGUST: Row[] = [
  [
    "sokoban/train_default_gae_qwen25vl3b.sh",
    [
      flagsFile,
      launcher("a", { ...critic, "algorithm.adv_estimator": "default_gae" }),
      ...august("render_mode: vision"),
    ],
    augustCommon("sokoban", WM, "default_gae", { "env.config.format_reward": 0.02 }),
  ],
  [
    "sokoban/train_ppo_no_concat_qwen25vl3b.sh",
    [
      launcher("b", {
        ...critic,
        "algorithm.adv_estimator": "default_gae",
        "trainer.harness": "no_concat",
        "data.max_response_length": 800,
      }),
      flagsFile,
      ...august("render_mode: vision"),
    ],
    augustCommon("sokoban", WM, "default_gae", {
      "trainer.harness": "no_concat",
      "rollout.window_size": 0,
    }),
  ],
  [
    "sokoban/train_bi_level_gae_qwen25vl3b.sh",
    [
      flagsFile,
      launcher("c", { ...critic, "algorithm.adv_estimator": "bi_level_gae" }),
      ...august("render_mode: vision"),
    ],
    augustCommon("sokoban", WM, "bi_level_gae_variable_clock"),
  ],
  [
    "sokoban/train_bi_level_gae_sr_qwen25vl3b.sh",
    [
      flagsFile,
      launcher(
        "d",
        { ...critic, "algorithm.adv_estimator": "bi_level_gae", "+algorithm.high_level_gamma": 0.9 },
        judge,
      ),
      ...stated,
    ],
    augustCommon("sokoban", WM, "bi_level_gae", {
      "algorithm.high_level_gamma": 0.9,
      "env.config.format_reward": 0.03,
      "reward.use_state_reward": true,
      "reward.grounding_reward_weight": 0.01,
      "reward.worldmodeling_reward_weight": 0.01,
      "reward.judge_scoring": "clauses",
      "trainer.val_seeds": "10001-10002, 10008",
    }),
  ],
  [
    "sokoban/train_default_gae_sr_qwen25vl3b.sh",
    [flagsFile, launcher("e", { ...critic, "algorithm.adv_estimator": "default_gae" }, judge), ...stated],
    augustCommon("sokoban", WM, "default_gae", { "reward.use_state_reward": true }),
  ],
  [
    "sokoban/train_default_gae_qwen35_4b_think.sh",
    [
      flagsFile,
      launcher("f", { ...critic, "algorithm.adv_estimator": "default_gae" }),
      ...august("render_mode: vision\nprompt_format: wm_think"),
    ],
    augustCommon("sokoban", "wm_think", "default_gae"),
  ],
  [
    "sokoban/train_default_gae_qwen35_4b.sh",
    [
      flagsFile,
      launcher("g", { ...critic, "algorithm.adv_estimator": "default_gae" }),
      ...august("render_mode: vision\nprompt_format: free_think"),
    ],
    augustCommon("sokoban", "free_think_2026", "default_gae"),
  ],
  [
    "sokoban/train_grpo_qwen25vl3b_filter.sh",
    [flagsFile, launcher("h", { ...grpo, ...filtered }), ...august("render_mode: vision")],
    augustCommon("sokoban", WM, "grpo", oneFiltered),
  ],
  [
    "frozenlake/train_bi_level_gae_qwen25vl3b.sh",
    [
      flagsFile,
      launcher("i", {
        ...critic,
        "algorithm.adv_estimator": "bi_level_gae",
        "+algorithm.high_level_gamma": 0.9,
      }),
      ...augustLake,
    ],
    augustCommon("frozenlake", "free_think_2026", "bi_level_gae", { "algorithm.high_level_gamma": 0.9 }),
  ],
  [
    "frozenlake/train_default_gae_qwen25vl3b.sh",
    [flagsFile, launcher("j", { ...critic, "algorithm.adv_estimator": "default_gae" }), ...augustLake],
    augustCommon("frozenlake", "free_think_2026", "default_gae"),
  ],
  [
    "navigation/train_default_gae_qwen25vl7b.sh",
    [flagsFile, launcher("k", critic), house("base_train", "common_sense_train")],
    { ...walk, "env.config.eval_set": "base_train", "algorithm.adv_estimator": "default_gae" },
  ],
  [
    "primitive_skill/train_bi_level_gae_qwen25vl3b.sh",
    [flagsFile, launcher("l", critic), remote("env_id: AlignTwoCube", 5000, "[0, 4999]", 3)],
    {
      "algorithm.adv_estimator": "default_gae",
      "env.name": "primitive-skill",
      "env.config.env_id": "AlignTwoCube",
      "rollout.prompt_format": WM,
    },
  ],
  [
    "spatial_gym/train_grpo_qwen25vl3b.sh",
    [flagsFile, launcher("m", grpo), gym],
    { ...look, "algorithm.adv_estimator": "grpo", "rollout.prompt_format": "free_think_2026" },
  ],
];

/** Values of an imported configuration by path. */
const valueAt = (config: object, path: string): unknown =>
  path.split(".").reduce<unknown>((tree, key) => (tree as Record<string, unknown>)?.[key], config);

/** An estimator that this version of the studio does not have is refused by its name and nothing else. */
const isMissing = (estimator: unknown): estimator is string => !estimators.ids.includes(String(estimator));

describe.each([
  ["legacy", 13, LEGACY],
  ["lite", 20, LITE],
  ["lite", 13, AUGUST],
] as const)("%s", (generation, count, rows) => {
  test(`has ${count} scripts, each once`, () => {
    expect(new Set(rows.map(([name]) => name)).size).toBe(count);
    expect(rows).toHaveLength(count);
  });

  test.each(rows)("%s", (_, files, expected) => {
    const imported = importVagen(files);
    expect(imported.generation).toBe(generation);
    expect(ofKind(imported.findings, "unknown")).toEqual([]);
    const refused = ofKind(imported.findings, "refused");
    if ("missing" in expected) {
      expect(missingTask(imported.findings)?.remark).toContain(expected.missing);
      expect(refused.filter(({ path }) => path !== "env.name")).toEqual([]);
      return;
    }
    const { "algorithm.adv_estimator": estimator, ...others } = expected as Record<string, unknown>;
    if (isMissing(estimator))
      expect(refused).toMatchObject([{ path: "algorithm.adv_estimator", ours: estimator }]);
    else expect(refused).toEqual([]);
    const wanted = isMissing(estimator) ? others : expected;
    const found = Object.fromEntries(
      Object.keys(wanted).map((path) => [path, valueAt(imported.config, path)]),
    );
    expect(found).toEqual(wanted);
  });
});

test("the layout compact has its budget, and a conversation the room of a response", () => {
  const compact = {
    ...critic,
    "algorithm.adv_estimator": "gae",
    "trainer.harness": "compact",
    "trainer.compact_budget": "$COMPACT_BUDGET",
  };
  const files = [
    flagsFile,
    launcher("n", compact, `COMPACT_BUDGET=${variable("COMPACT_BUDGET:-2100")}`),
    ...august("render_mode: vision"),
  ];
  const { config, findings } = importVagen(files);
  expect(ofKind(findings, "unsupported")).toEqual([]);
  expect(config.trainer).toMatchObject({
    harness: "compact",
    compact_budget: 2100,
    compact_summary_budget: 0,
  });
  expect(config.rollout).toMatchObject({ max_episode_tokens: 4000, use_multi_turn_reward: true });
});

test("a launcher without its flags says so", () => {
  const { findings } = importVagen([launcher("o", critic), ...augustLake]);
  expect(ofKind(findings, "unknown")).toMatchObject([
    { key: variable("BASE[@]"), remark: expect.stringContaining("flags") },
  ]);
});

test("a launcher's own overrides win over its flags, in whatever order they are given", () => {
  const rate = launcher("p", { ...critic, "actor_rollout_ref.actor.optim.lr": "3e-6" });
  for (const files of [
    [flagsFile, rate],
    [rate, flagsFile],
  ])
    expect(importVagen([...files, ...augustLake]).config.actor.lr).toBe(3e-6);
});

test("of several training runs in one file only the first is read", () => {
  const text = ["masked_gae", "grpo"]
    .map(
      (name) =>
        `python3 -m vagen.trainer.main_ppo algorithm.adv_estimator=${name} rollout_manager.max_turns=3`,
    )
    .join("\n");
  const { config, findings } = importVagen([{ name: "both.sh", text }]);
  expect(config.algorithm.adv_estimator).toBe("masked_gae");
  expect(ofKind(findings, "unsupported")).toMatchObject([
    { value: 2, remark: expect.stringContaining("first") },
  ]);
});

test("the name of the run is read from variables, and left alone where only a shell knows it", () => {
  expect(importVagen([liteScript("the lake", ppo), ...lake("vision")]).config.name).toBe("the lake");
  const { config, findings } = importVagen([legacyRun({}), game("sokoban", "no_think")]);
  expect(config.name).toBe("run");
  expect(findings.find(({ key }) => key === "trainer.experiment_name")).toMatchObject({ kind: "ignored" });
});
