// A policy that plays the level on screen: which one, its turns as they come, and how it ended.
import { useEffect, useRef, useState } from "react";
import type { BundledCheckpoint } from "../../config/bundled.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { PolicyError, serializeError } from "../../core/errors.ts";
import { message, value } from "../../core/message.ts";
import type { Trajectory, Turn } from "../../core/types.ts";
import type { OpenedPolicy, Playable } from "../session/onnx-player.ts";
import { wholeText } from "../settings/words.ts";
import { rulesOfPlay } from "./play-rules.ts";
import { rewardWords } from "./reward-words.ts";
import { useBackend } from "./use-backend.ts";

type Env = RunConfig["env"];

interface LevelPlay {
  env: Env;
  seed: number;
  turns: readonly Turn[];
  /** Null while it plays, and after a problem. */
  trajectory: Trajectory | null;
  problem: string;
  /** What its turns are paid, as a sentence. */
  rewards: string;
  /** Who judges it and how many turns it has, as sentences; empty until the policy is open. */
  rules: string;
}

interface LevelPlayOptions {
  /** What turns are paid; for a bundled policy also who judges and how many turns there are. In its environment of that name, if it has several. */
  run: Pick<RunConfig, "reward" | "judge" | "rollout">;
  /** The environment of the level; another object is another environment. */
  env: Env;
  seed: number;
  /** The bundled policies that can play it; the first one does unless another is chosen. */
  policies: readonly Pick<BundledCheckpoint, "id" | "title">[];
}

/** Not in the page's first script: the runtime and its client are needed only now. */
const player = () => import("../session/onnx-player.ts");

/** The id of the opened file among the policies. */
const OPENED = "opened-file";

/** Plays levels of `env` with a bundled policy, or with an ONNX file that was opened. */
export function useLevelPlay({ run, env, seed, policies }: LevelPlayOptions) {
  const [play, setPlay] = useState<LevelPlay | null>(null);
  const [file, setFile] = useState<OpenedPolicy | null>(null);
  const [chosen, setChosen] = useState("");
  const [opening, setOpening] = useState<File | null>(null);
  const [refusal, setRefusal] = useState({ task: "", problem: "" });
  // A refused file is forgotten with the task, and when something else is chosen or plays.
  const fileProblem = refusal.task === env.name ? refusal.problem : "";
  const running = useRef<AbortController | null>(null);
  // Plays from its beginning what was begun and has not ended.
  const unfinished = useRef<(() => Promise<void>) | null>(null);
  const bundled = policies.find(({ id }) => id === chosen) ?? policies.at(0);
  const opened = file?.env.name === env.name ? file : null;
  const policy = opened && chosen === OPENED ? opened : (bundled?.id ?? null);
  const runOn = useBackend(policy);
  // What was played belongs to one level of one task.
  const shown = play?.env === env && play.seed === seed ? play : null;
  // A hidden panel plays nothing. When it is shown again, it goes on with what it had begun.
  useEffect(() => {
    void unfinished.current?.();
    return () => running.current?.abort();
  }, []);
  // Without its level on screen there would be no button to stop it.
  useEffect(() => {
    if (!play || (play.env === env && play.seed === seed)) return;
    running.current?.abort();
    unfinished.current = null;
    setPlay(null);
  }, [play, env, seed]);

  async function start(level: number): Promise<void> {
    if (!policy) return;
    forgetRefusal();
    const rewards = rewardWords(run, env);
    setPlay({ env, seed: level, turns: [], trajectory: null, problem: "", rewards, rules: "" });
    unfinished.current = () => playThrough(level, policy);
    await unfinished.current();
  }

  /** Plays a level from its beginning. Its turns are the same each time, so those on screen stay there. */
  async function playThrough(level: number, checkpoint: Playable): Promise<void> {
    running.current?.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    const change = (part: (now: LevelPlay) => Partial<LevelPlay>) =>
      !signal.aborted && setPlay((now) => now && { ...now, ...part(now) });
    const end = (part: Partial<LevelPlay>) => {
      if (!signal.aborted) unfinished.current = null;
      change(() => part);
    };
    let done = 0;
    const onTurn = (turn: Turn) => {
      const index = done++;
      change(({ turns }) => (index < turns.length ? {} : { turns: [...turns, turn] }));
    };
    try {
      const { ownRules, playLevel } = await player();
      const options = { checkpoint, backend: runOn.backend, envName: env.name, signal };
      const { rules, words } = rulesOfPlay(run, await ownRules(options), typeof checkpoint !== "string");
      change(() => ({ rules: words }));
      const played = { envConfig: env.config, reward: run.reward, rules, seed: level };
      end({ trajectory: await playLevel({ ...options, ...played, onTurn }) });
    } catch (error) {
      end({ problem: wholeText(serializeError(error)) });
    }
  }

  async function open(onnx: File): Promise<void> {
    stop();
    forgetRefusal();
    setOpening(onnx);
    try {
      const fresh = await (await player()).openOnnxFile(onnx, runOn.backend);
      if (fresh.env.name !== env.name) throw otherTask(fresh, env);
      setFile(fresh);
      choose(OPENED);
    } catch (error) {
      setRefusal({ task: env.name, problem: wholeText(serializeError(error)) });
    }
    setOpening(null);
  }

  const forgetRefusal = () => setRefusal({ task: "", problem: "" });
  const stop = () => {
    running.current?.abort();
    unfinished.current = null;
    setPlay(null);
  };
  const choose = (id: string) => {
    forgetRefusal();
    stop();
    setChosen(id);
  };
  const name = typeof policy === "string" ? (bundled?.title ?? policy) : (policy?.name ?? null);
  const choice = {
    policies: opened ? [{ id: OPENED, title: opened.name }, ...policies] : policies,
    chosen: typeof policy === "string" ? policy : OPENED,
    choose,
  };
  return { shown, name, choice, start, stop, open, opening, fileProblem, runOn };
}

const otherTask = (opened: OpenedPolicy, env: Env) =>
  new PolicyError(
    "wrong_architecture",
    message`${opened.name} was trained for ${value("env.name", opened.env.name)}; this level belongs to ${value("env.name", env.name)}.`,
    "Choose its task under Configure first.",
  );
