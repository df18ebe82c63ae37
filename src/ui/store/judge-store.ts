// What a judge needs that no configuration holds: keys and chosen recordings. In this tab's memory only, gone when it
// is closed or loaded again.
import { create } from "zustand";
import type { RunConfig } from "../../config/run-config.ts";
import { endpointOf, isLoopback, withoutCredentials } from "../../core/address.ts";
import type { JudgeAccess } from "../../worker/protocol.ts";
import { editFields } from "./draft-store.ts";

type JudgeConfig = Pick<RunConfig, "judge">;

interface JudgeState {
  /** Keys by endpoint: one that was typed for an address is sent to no other. */
  keys: Readonly<Record<string, string>>;
  /** Endpoints that may be called without a key. One on this machine needs no permission. */
  allowed: Readonly<Record<string, boolean>>;
  /** Chosen files by name. */
  recordings: Readonly<Record<string, File>>;
}

export const useJudgeStore = create<JudgeState>()(() => ({ keys: {}, allowed: {}, recordings: {} }));

/** The key that was typed for the endpoint of a configuration; empty when there is none. */
export const keyFor = ({ keys }: JudgeState, config: JudgeConfig): string =>
  keys[endpointOf(config.judge)] ?? "";

export function setKey(config: JudgeConfig, key: string): void {
  useJudgeStore.setState(({ keys }) => ({ keys: { ...keys, [endpointOf(config.judge)]: key.trim() } }));
}

/** Whether the endpoint may be called without a key. */
export const isAllowed = ({ allowed }: JudgeState, { judge }: JudgeConfig): boolean =>
  allowed[endpointOf(judge)] ?? isLoopback(judge.base_url);

export function setAllowed({ judge }: JudgeConfig, isOn: boolean): void {
  useJudgeStore.setState(({ allowed }) => ({ allowed: { ...allowed, [endpointOf(judge)]: isOn } }));
}

/** Keeps a file for the recorded judge. */
export function keepRecording(file: File): void {
  useJudgeStore.setState(({ recordings }) => ({ recordings: { ...recordings, [file.name]: file } }));
}

/** Keeps a file and lets the draft name it. */
export function chooseRecording(file: File): void {
  keepRecording(file);
  editFields({ "judge.recording": file.name });
}

/** What goes to the worker with a start; nothing for judges that need nothing. */
export function accessFor(config: JudgeConfig): { judge?: JudgeAccess } {
  const state = useJudgeStore.getState();
  const { name, recording } = config.judge;
  if (name === "llm") {
    const key = keyFor(state, config);
    const endpoint = endpointOf(config.judge);
    if (key) return { judge: { endpoint, key } };
    return state.allowed[endpoint] ? { judge: { endpoint } } : {};
  }
  const file = name === "recorded" ? state.recordings[recording] : undefined;
  return file ? { judge: { recording: file } } : {};
}

/** Why the judge of a configuration cannot be opened yet; empty when it can. `kept`: its recording is stored. */
export function judgeObstacle(config: JudgeConfig, kept = false, state = useJudgeStore.getState()): string {
  const { name, base_url: address, recording } = config.judge;
  if (name === "llm" && address === "" && keyFor(state, config) === "")
    return "The judge's endpoint needs a key. Enter it.";
  if (name === "llm" && keyFor(state, config) === "" && !isAllowed(state, config))
    return `The judge would send claims and states to ${withoutCredentials(address)}: type its key, or allow it without one.`;
  if (name === "recorded" && recording !== "" && !kept && !state.recordings[recording])
    return `Choose the recording ${recording}; the page has not loaded it yet.`;
  return "";
}

/** The same for a component, which is drawn again when a key or a file arrives. */
export function useJudgeObstacle(config: JudgeConfig | null, kept = false): string {
  return useJudgeStore((state) => (config ? judgeObstacle(config, kept, state) : ""));
}
