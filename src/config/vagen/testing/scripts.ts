// Launchers and data sets as VAGEN's releases have them, rebuilt from their keys and values: legacy scripts, which run a
// server, a data set builder and a trainer, directly or in tmux; Lite's scripts; and the launchers with a file of flags.
import type { VagenFile } from "../parse/file.ts";

/** A variable of a shell, as it is written there. */
export const variable = (name: string): string => ["$", "{", name, "}"].join("");

/** Overrides of one script by key. */
type Keys = Readonly<Record<string, unknown>>;

const lines = (keys: Keys, end: string, quote = '"'): string =>
  Object.entries(keys)
    .map(
      ([key, value]) =>
        `    ${key}=${/[\s']/.test(String(value)) ? `${quote}${value}${quote}` : value} ${end}`,
    )
    .join("\n");

const LEGACY: Keys = {
  "data.train_files": "data/$EXPERIMENT_NAME/train.parquet",
  "data.val_files": "data/$EXPERIMENT_NAME/test.parquet",
  "data.max_prompt_length": 1024,
  "data.max_response_length": 200,
  "data.max_trajectory_length": 2400,
  "data.image_key": "images",
  "data.truncation": "left",
  "actor_rollout_ref.model.path": "Qwen/Qwen2.5-VL-3B-Instruct",
  "actor_rollout_ref.actor.optim.lr": "1e-6",
  "actor_rollout_ref.model.use_remove_padding": "True",
  "actor_rollout_ref.actor.ppo_mini_batch_size": 32,
  "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": 1,
  "actor_rollout_ref.actor.use_kl_loss": "False",
  "actor_rollout_ref.actor.kl_loss_coef": 0.001,
  "actor_rollout_ref.actor.kl_loss_type": "mse",
  "actor_rollout_ref.actor.fsdp_config.param_offload": "True",
  "actor_rollout_ref.rollout.tensor_model_parallel_size": 2,
  "actor_rollout_ref.rollout.name": "vllm",
  "actor_rollout_ref.rollout.gpu_memory_utilization": 0.1,
  "actor_rollout_ref.rollout.n": 1,
  "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu": 1,
  "actor_rollout_ref.rollout.top_p": 0.95,
  "actor_rollout_ref.rollout.temperature": 0.7,
  "critic.optim.lr": "1e-5",
  "critic.model.path": "Qwen/Qwen2.5-VL-3B-Instruct",
  "critic.ppo_micro_batch_size_per_gpu": 1,
  "critic.model.fsdp_config.param_offload": "False",
  "algorithm.kl_ctrl.kl_coef": 0.001,
  "trainer.critic_warmup": 0,
  "trainer.logger": "[console,wandb]",
  "trainer.project_name": "vagen_new",
  "trainer.experiment_name": "$EXPERIMENT_NAME",
  "trainer.n_gpus_per_node": 4,
  "trainer.nnodes": 1,
  "trainer.save_freq": 150,
  "trainer.test_freq": 20,
  "trainer.total_training_steps": 300,
  "rollout_manager.max_turns": 3,
  "rollout_manager.window_size": 5,
  "rollout_manager.use_multi_turn_reward": "False",
  "rollout_manager.use_loss_mask": "True",
  "rollout_manager.use_gae_mask": "True",
  "trainer.val_before_train": "True",
  "trainer.val_generations_to_log_to_wandb": 8,
  "rollout_manager.n_trajectory": 1,
};

const HEAD = `#!/bin/bash
export VLLM_ATTENTION_BACKEND=XFORMERS
export PYTHONHASHSEED=0
HERE="$( cd "$( dirname "\${BASH_SOURCE[0]}" )" && pwd )"
EXPERIMENT_NAME=$(echo $HERE | rev | cut -d'/' -f1-3 | rev | tr '/' '-')  # the last folders
`;

/** A legacy `run.sh`: the data set builder, then the trainer. */
export const legacyRun = (keys: Keys): VagenFile => ({
  name: "run.sh",
  text: `${HEAD}
python -m vagen.env.create_dataset \\
    --yaml_path "$HERE/env_config.yaml" \\
    --train_path "data/$EXPERIMENT_NAME/train.parquet"

python3 -m vagen.trainer.main_ppo \\
${lines({ ...LEGACY, ...keys }, "\\")}
    2>&1 | tee $EXPERIMENT_NAME.log
`,
});

/** A legacy `run_tmux.sh`: it types the same commands, and the server's, into terminals of tmux. */
export const legacyTmux = (keys: Keys, server = ""): VagenFile => {
  const all = {
    ...LEGACY,
    ...keys,
    "rollout_manager.use_service": "True",
    "rollout_manager.timeout": 300,
    "rollout_manager.base_url": '\\"http://localhost:$PORT\\"',
  };
  return {
    name: "run_tmux.sh",
    text: `${HEAD}
read -p "Port (default: 5000): " PORT_INPUT
PORT=\${PORT_INPUT:-5000}
free_session() {
  local count=0
  while tmux has-session -t "$1\${count}" 2>/dev/null; do count=$((count+1)); done
  echo "$1\${count}"
}
SERVER=$(free_session "server")
TRAIN=$(free_session "train")
tmux new-session -d -s "$SERVER"
tmux send-keys -t "$SERVER" "export PYTHONHASHSEED=0" C-m
tmux send-keys -t "$SERVER" "python -m vagen.server.server server.port=$PORT${server && ` ${server}`}" C-m
sleep 10  # until it answers
tmux new-session -d -s "$TRAIN"
tmux send-keys -t "$TRAIN" "cd $HERE" C-m
tmux send-keys -t "$TRAIN" "python -m vagen.env.create_dataset \\\\
    --yaml_path \\"$HERE/env_config.yaml\\"" C-m
tmux send-keys -t "$TRAIN" "python3 -m vagen.trainer.main_ppo \\\\
${lines(all, "\\\\", "'")}
    2>&1 | tee $EXPERIMENT_NAME.log" C-m
echo "To look at it: tmux attach-session -t $TRAIN"
`,
  };
};

const LITE: Keys = {
  "data.train_files": `${variable("DATASET_TRAIN")}`,
  "data.val_files": `${variable("DATASET_VAL")}`,
  "data.max_prompt_length": 1000,
  "data.max_response_length": 4000,
  "algorithm.kl_ctrl.kl_coef": 0.0,
  "actor_rollout_ref.model.path": `${variable("MODEL")}`,
  "actor_rollout_ref.model.use_fused_kernels": "True",
  "actor_rollout_ref.actor.optim.lr": "1e-6",
  "actor_rollout_ref.actor.ppo_mini_batch_size": 32,
  "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": 1,
  "actor_rollout_ref.actor.use_kl_loss": "False",
  "actor_rollout_ref.actor.kl_loss_coef": 0.0,
  "actor_rollout_ref.actor.kl_loss_type": "low_var_kl",
  "actor_rollout_ref.actor.entropy_coeff": 0.0,
  "actor_rollout_ref.actor.checkpoint.save_contents": "['model','hf_model','optimizer','extra']",
  "actor_rollout_ref.actor.ulysses_sequence_parallel_size": 1,
  "actor_rollout_ref.rollout.name": "sglang",
  "actor_rollout_ref.rollout.mode": "async",
  "actor_rollout_ref.rollout.n": 1,
  "actor_rollout_ref.rollout.gpu_memory_utilization": 0.6,
  "actor_rollout_ref.rollout.multi_turn.enable": "True",
  "actor_rollout_ref.rollout.agent.agent_loop_config_path": "$agent_loop",
  "actor_rollout_ref.rollout.disable_log_stats": "False",
  "trainer.critic_warmup": 0,
  "trainer.logger": "['console','wandb']",
  "trainer.val_before_train": "True",
  "trainer.n_gpus_per_node": 4,
  "trainer.save_freq": 100,
  "trainer.test_freq": 20,
  "trainer.project_name": `${variable("PROJECT_NAME")}`,
  "trainer.experiment_name": `${variable("EXPERIMENT_NAME")}`,
  "trainer.default_local_dir": `${variable("EXPERIMENT_DIR")}/checkpoints`,
  "trainer.validation_data_dir": `${variable("EXPERIMENT_DIR")}/validation`,
  "trainer.rollout_data_dir": `${variable("EXPERIMENT_DIR")}/rollout_data`,
  "trainer.log_val_generations": 32,
  "critic.optim.lr": "1e-5",
  "critic.model.path": `${variable("MODEL")}`,
  "critic.ppo_micro_batch_size_per_gpu": 1,
  "trainer.total_training_steps": 401,
};

/** A script of Lite. */
export const liteScript = (name: string, keys: Keys): VagenFile => ({
  name: "train.sh",
  text: `#!/bin/bash
set -x
PROJECT_NAME="vagen_experiments"
EXPERIMENT_NAME="${name}"
ROOT=$(pwd)
EXPERIMENT_DIR=\${ROOT}/exps/\${PROJECT_NAME}/\${EXPERIMENT_NAME}
DATASET_TRAIN=$(dirname "$0")/train.yaml
DATASET_VAL=$(dirname "$0")/val.yaml
agent_loop=\${ROOT}/vagen/configs/agent.yaml   # one conversation for an episode
MODEL=Qwen/Qwen2.5-VL-3B-Instruct
mkdir -p \${EXPERIMENT_DIR}

PYTHONUNBUFFERED=1 python3 -m vagen.main_ppo \\
    --config-path=\${ROOT}/vagen/configs \\
    --config-name='vagen_multiturn' \\
${lines({ ...LITE, ...keys }, "\\")}
    2>&1 | tee \${EXPERIMENT_DIR}/run.log >(tee \${ROOT}/run.log >/dev/null)
# actor_rollout_ref.model.lora_rank=8 \\
`,
});

/** The overrides that the launchers of August 2026 share. */
export const flagsFile: VagenFile = {
  name: "training_defaults.flags",
  text: `# Read by every launcher; $V is the checkout.

data.max_prompt_length=1000
algorithm.kl_ctrl.kl_coef=0.0
actor_rollout_ref.model.use_fused_kernels=True
actor_rollout_ref.actor.optim.lr=1e-6
actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=1
actor_rollout_ref.actor.use_kl_loss=False
actor_rollout_ref.actor.entropy_coeff=0.0
actor_rollout_ref.actor.fsdp_config.param_offload=True
actor_rollout_ref.rollout.name=sglang
actor_rollout_ref.rollout.multi_turn.enable=True
actor_rollout_ref.rollout.skip_tokenizer_init=False
critic.optim.lr=1e-5
critic.fsdp.param_offload=True
# Off, unless the estimator needs one.
actor_rollout_ref.rollout.agent.agent_loop_config_path=$V/vagen/configs/agent_v2.yaml
+actor_rollout_ref.rollout.agent.agent_loop_manager_class=vagen.training.agent_loop.multi_output.MultiOutputAgentLoopManager
`,
};

const LAUNCHER: Keys = {
  "data.train_files": "$HERE/train.yaml",
  "data.val_files": "$HERE/val.yaml",
  "actor_rollout_ref.model.path": "$MODEL",
  "critic.model.path": "$MODEL",
  "trainer.harness": "concat",
  "data.train_batch_size": 128,
  "data.max_response_length": 4000,
  "actor_rollout_ref.actor.ppo_mini_batch_size": 32,
  "actor_rollout_ref.rollout.n": 1,
  "actor_rollout_ref.rollout.gpu_memory_utilization": 0.6,
  "actor_rollout_ref.rollout.max_num_batched_tokens": 10000,
  "trainer.n_gpus_per_node": 4,
  "trainer.critic_warmup": 0,
  "trainer.save_freq": 100,
  "trainer.test_freq": 20,
  "trainer.total_training_steps": 401,
  "trainer.project_name": "$PROJECT_NAME",
  "trainer.experiment_name": "$EXPERIMENT_NAME",
  "trainer.default_local_dir": "$EXPERIMENT_DIR/checkpoints",
  "actor_rollout_ref.actor.checkpoint.save_contents": "['model','hf_model','optimizer','extra']",
};

/** A launcher of August 2026, which reads the file of flags. `setup` is what a script does before it trains. */
export const launcher = (name: string, keys: Keys, setup = ""): VagenFile => ({
  name: "launch.sh",
  text: `#!/bin/bash
set -eo pipefail
V=$(cd "$(dirname "$0")/../../.." && pwd)
HERE=$(cd "$(dirname "$0")" && pwd)
PROJECT_NAME=\${PROJECT_NAME:-vagen_experiments}
EXPERIMENT_NAME=\${EXPERIMENT_NAME:-${name}}
EXPERIMENT_DIR=\${EXPERIMENT_DIR:-$V/exps/$PROJECT_NAME/$EXPERIMENT_NAME}
MODEL=\${MODEL:-Qwen/Qwen2.5-VL-3B-Instruct}
if [ -z "\${VERL:-}" ]; then
    for d in "$V/verl" "$V/../verl"; do
        if [ -f "$d/verl/trainer/config/ppo_trainer.yaml" ]; then VERL=$(cd "$d" && pwd); break; fi
    done
fi
export PYTHONPATH=\${VERL:+$VERL:}$V\${PYTHONPATH:+:$PYTHONPATH}
mapfile -t BASE < <(grep -vE '^\\s*(#|$)' "$V/vagen/configs/training_defaults.flags" | sed "s|\\$V|$V|g")
${setup}
PYTHONUNBUFFERED=1 python3 -m vagen.training.main \\
    --config-path="$V/vagen/configs" --config-name=vagen_multiturn \\
    hydra.searchpath="[file://$VERL/verl/trainer/config]" \\
    data.custom_cls.path="$V/vagen/training/dataset.py" \\
    "\${BASE[@]}" \\
${lines({ ...LAUNCHER, ...keys }, "\\")}
    "$@" \\
    2>&1 | tee "$EXPERIMENT_DIR/run.log"
`,
});

/** A legacy data set with these entries. */
export const legacyDataset = (...entries: readonly string[]): VagenFile => ({
  name: "env_config.yaml",
  text: entries.map((entry, i) => `env${i + 1}:\n${indented(entry)}`).join("\n"),
});

/** Lite's data set of one split with these entries. */
export const liteDataset = (split: "train" | "val", ...entries: readonly string[]): VagenFile => ({
  name: `${split}.yaml`,
  text: `envs:\n${entries.map((entry) => `  -${indented(entry).slice(3)}`).join("\n")}`,
});

const indented = (text: string): string =>
  text
    .trim()
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
