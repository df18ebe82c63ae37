// What the page knows beside the run itself: the GPU, stored runs, the size of the draft, refused commands.
import { create } from "zustand";
import { type SerializedError, serializeError } from "../../core/errors.ts";
import type { EnvLoad } from "../../envs/registry.ts";
import type { MemoryPlan } from "../../training/events.ts";
import type { GpuProbe, StoredRun } from "../../worker/protocol.ts";
import { inForm } from "../settings/words.ts";
import type { DraftNotice } from "./draft-keeper.ts";

type Probe = { state: "probing" } | { state: "ready"; gpu: GpuProbe };

/** The size of the draft, as the worker estimates it whenever the draft settles. */
export type SizeEstimate =
  | { state: "unknown" }
  /** The worker takes a while. What it said last is of another draft. */
  | { state: "measuring" }
  | { state: "known"; plan: MemoryPlan }
  | { state: "refused"; error: SerializedError };

interface SessionState {
  /** Which worker the page talks to: 0 before the first, one more with each. */
  connection: number;
  probe: Probe;
  /** How far the worker has loaded environments, by id; those that it has not begun are missing. */
  loads: Readonly<Record<string, EnvLoad>>;
  stored: readonly StoredRun[];
  /** Whether they have been read. */
  storedKnown: boolean;
  /** Id of the run that another tab trains, empty while it is not known which; null when none does. */
  elsewhere: string | null;
  size: SizeEstimate;
  /** A checkpoint is being downloaded; while training, that waits for the end of the update. */
  saving: boolean;
  /** The worker has not answered a `ping` for half a minute. */
  isUnresponsive: boolean;
  /** The last command that the worker refused, until dismissed. */
  refused: SerializedError | null;
  /** Why the draft of the last visit was not restored unchanged, until dismissed. */
  ofDraft: DraftNotice | null;
  /** What happened while the page was hidden, until dismissed. */
  away: { minutes: number; updates: number } | null;
}

export const useSession = create<SessionState>()(() => ({
  connection: 0,
  probe: { state: "probing" },
  loads: {},
  stored: [],
  storedKnown: false,
  elsewhere: null,
  size: { state: "unknown" },
  saving: false,
  isUnresponsive: false,
  refused: null,
  ofDraft: null,
  away: null,
}));

/** Shows why a command was refused, until dismissed. */
export function showRefusal(error: unknown): undefined {
  useSession.setState({ refused: serializeError(error) });
}

export function dismissRefusal(): void {
  useSession.setState({ refused: null });
}

/** Training is possible on this machine. */
export const canTrain = ({ probe }: Pick<SessionState, "probe">): boolean =>
  probe.state === "ready" && probe.gpu.available;

/** Why no run can be started or continued here; empty when one can. */
export function trainingBlocked(session: Pick<SessionState, "probe" | "stored" | "elsewhere">): string {
  if (!canTrain(session)) return "This browser cannot train.";
  const held = session.stored.find((run) => run.elsewhere || run.runId === session.elsewhere);
  if (!held && session.elsewhere === null) return "";
  const which = held?.name ?? session.elsewhere;
  return `Another tab is training${which && ` the run ${which}`}; only one tab trains at a time.`;
}

/** Why a draft of this size cannot run here; null when it can, or when that is not known. */
export function obstacle(size: SizeEstimate): { tooLarge: boolean; message: string; hint: string } | null {
  if (size.state === "unknown" || size.state === "measuring") return null;
  if (size.state === "known") {
    const { problem } = size.plan;
    return problem ? { tooLarge: true, ...inForm(problem) } : null;
  }
  const { name, code } = size.error;
  // The worker could not answer, which says nothing about the draft.
  if (name === "ProtocolError") return null;
  return { tooLarge: ["limit_exceeded", "out_of_memory"].includes(code), ...inForm(size.error) };
}
