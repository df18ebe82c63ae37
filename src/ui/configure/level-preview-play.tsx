// The level on screen, played by the person who looks at it.
import { Gamepad2 } from "lucide-react";
import { useMemo, useState } from "react";
import type { RunConfig } from "../../config/run-config.ts";
import { serializeError } from "../../core/errors.ts";
import { envs } from "../../envs/registry.ts";
import { EnvLoading } from "../episode/env-loading.tsx";
import { useEnvLoad } from "../lib/use-env.ts";
import { OwnGame } from "../replay/own-game.ts";
import { OwnPlay } from "../replay/own-play.tsx";
import { wholeText } from "../settings/words.ts";

interface PlayLevelProps {
  env: RunConfig["env"];
  seed: number;
}

/** Below the level: a button, and then the person's game. It stays open while other levels are looked at. */
export default function PlayLevel({ env, seed }: PlayLevelProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label="You play this level" className="flex flex-col gap-3 border-t border-line pt-3">
      {isOpen ? (
        <OwnLevel env={env} seed={seed} onBack={() => setOpen(false)} />
      ) : (
        <button type="button" className="btn btn-small self-start" onClick={() => setOpen(true)}>
          <Gamepad2 size={14} aria-hidden /> Play it yourself
        </button>
      )}
    </section>
  );
}

export function OwnLevel({ env, seed, onBack }: PlayLevelProps & { onBack: () => void }) {
  const load = useEnvLoad(env.name);
  const isReady = load.state === "ready";
  // By content: every change of the form gives a new object. An extension may bring another environment of the same name.
  const level = JSON.stringify([env.name, env.config, seed]);
  const spec = envs.all.find(({ id }) => id === env.name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `level` is what is used of `env` and `seed`
  const begun = useMemo(() => (isReady && spec ? begin(env, seed) : null), [isReady, spec, level]);
  if (!begun) return <EnvLoading id={env.name} load={load} />;
  if ("problem" in begun) return <Problem text={begun.problem} />;
  return (
    <OwnPlay key={begun.key} game={begun.game} from={`level ${seed}`} onBack={onBack} backTo="Stop playing">
      You play level {seed} from its beginning, with the rewards of the environment.
    </OwnPlay>
  );
}

const Problem = ({ text }: { text: string }) => (
  <p role="alert" className="text-dense break-words text-danger">
    {text}
  </p>
);

let games = 0;

/** A new game, or why there is none. The search takes no longer than the one for the picture of the level. */
function begin({ name, config }: RunConfig["env"], seed: number) {
  try {
    const game = new OwnGame({ envId: name, seed, turns: [] }, config, 0, 1);
    return { game, key: games++ };
  } catch (error) {
    return { problem: wholeText(serializeError(error)) };
  }
}
