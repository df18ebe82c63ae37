// Answers questions about a user's own environment, by running its code.
import type { Env, EnvSpec } from "../envs/env.ts";
import type { ActionsFrom, FromOwnEnv, ToOwnEnv } from "./own-env-protocol.ts";

/** @throws what the environment throws */
export function answerOwnEnv(spec: EnvSpec, question: ToOwnEnv): FromOwnEnv {
  const config = spec.config.parse(question.envConfig ?? {});
  if (question.kind === "play") {
    const playTurn = ({ before, actions }: ActionsFrom) => play(spec.recorded!.from(before, config), actions);
    return { kind: "played", turns: question.turns.map(playTurn) };
  }
  const env = spec.create(config, { searchBudget: question.searchBudget });
  env.reset(question.seed);
  return { kind: "begun", truth: env.groundTruth() };
}

const play = (env: Env, actions: readonly string[]) =>
  actions.map((action) => ({ ...env.step(action), truth: env.groundTruth() }));
