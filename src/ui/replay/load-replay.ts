// The files of bundled replays, each loaded when it is first wanted.
import { useEffect, useState } from "react";
import { serializeError } from "../../core/errors.ts";
import { envs, loadEnv } from "../../envs/registry.ts";
import { decodeReplay } from "../../replay/codec.ts";
import { ReplayError } from "../../replay/error.ts";
import type { Replay } from "../../replay/replay.ts";
import { plainMessage } from "../lib/plain-error.ts";

const loaded = new Map<string, Promise<Replay>>();

/** A bundled replay. @throws an error in words when its file is missing or is no replay; the next call tries again. */
function loadReplay(id: string): Promise<Replay> {
  const known = loaded.get(id);
  if (known) return known;
  const fresh = fetchReplay(id);
  loaded.set(id, fresh);
  fresh.catch(() => loaded.delete(id));
  return fresh;
}

async function fetchReplay(id: string): Promise<Replay> {
  const file = `replays/${id}.json`;
  const response = await fetch(new URL(file, document.baseURI)).catch(() => null);
  if (!response?.ok) {
    const why = response ? `the server answered ${response.status}` : "the network did not answer";
    throw new ReplayError("missing", `${file} could not be loaded: ${why}.`, "Try again.");
  }
  // A host that answers every address with its front page sends HTML.
  const json: unknown = await response.json().catch(() => {
    throw new ReplayError("foreign", `${file} is not a replay.`, "Install the studio again.");
  });
  const replay = decodeReplay(json);
  await loadGame(replay.trajectory.envId);
  return replay;
}

/** The front page begins with the first environment alone. @throws EnvError("not_loaded"), ConfigError("unknown_id") */
async function loadGame(envId: string): Promise<void> {
  if (!envs.ids.includes(envId)) await import("../../envs/index.ts");
  await loadEnv(envId);
}

type Loading =
  | { state: "loading" }
  | { state: "failed"; problem: string; retry: () => void }
  | { state: "ready"; replays: readonly Replay[] };

/** Loads replays by their ids. `ids` has to stay the same array. */
export function useReplays(ids: readonly string[]): Loading {
  const [result, setResult] = useState<{
    ids: readonly string[];
    replays?: Replay[];
    problem?: string;
  } | null>(null);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another load
  useEffect(() => {
    let isCurrent = true;
    setResult(null);
    Promise.all(ids.map(loadReplay)).then(
      (replays) => isCurrent && setResult({ ids, replays }),
      (error: unknown) => isCurrent && setResult({ ids, problem: plainMessage(serializeError(error)) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [ids, tries]);
  if (result?.ids !== ids) return { state: "loading" };
  if (result.replays) return { state: "ready", replays: result.replays };
  return { state: "failed", problem: result.problem ?? "", retry: () => setTries(tries + 1) };
}
