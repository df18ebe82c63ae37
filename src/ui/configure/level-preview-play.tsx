// The level on screen, played by the person who looks at it.
import { useEffect, useMemo, useState } from "react";
import type { RunConfig } from "../../config/run-config.ts";
import { serializeError } from "../../core/errors.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { envs } from "../../envs/registry.ts";
import { EnvLoading } from "../episode/env-loading.tsx";
import { useEnvLoad } from "../lib/use-env.ts";
import { OwnEnvGame, playerOf } from "../replay/own-env-game.ts";
import { type Game, OwnGame } from "../replay/own-game.ts";
import { OwnPlay } from "../replay/own-play.tsx";
import { wholeText } from "../settings/words.ts";

interface OwnLevelProps {
  env: RunConfig["env"];
  seed: number;
  onBack: () => void;
}

/** In the place of the level's picture. It stays open while other levels are looked at. */
export default function OwnLevel(props: OwnLevelProps) {
  return (
    <section aria-label="You play this level">
      <OwnLevelOf {...props} />
    </section>
  );
}

function OwnLevelOf(props: OwnLevelProps) {
  const { env, seed } = props;
  const load = useEnvLoad(env.name);
  const spec = envs.all.find(({ id }) => id === env.name);
  if (load.state !== "ready" || !spec) return <EnvLoading id={env.name} load={load} />;
  // By content: every change of the form gives a new object. An extension may bring another environment of the same name.
  const level = JSON.stringify([env.name, env.config, seed]);
  return spec.recorded ? (
    <LevelInWorker {...props} spec={spec} level={level} />
  ) : (
    <LevelHere {...props} spec={spec} level={level} />
  );
}

type LevelProps = OwnLevelProps & { spec: EnvSpec; level: string };

function LevelHere({ spec, level, ...props }: LevelProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `level` is what is used of `env` and `seed`
  const begun = useMemo(() => begin(props), [spec, level]);
  return <Begun {...props} begun={begun} />;
}

/** A level of a user's own environment, whose code the page does not run. */
function LevelInWorker({ spec, level, ...props }: LevelProps) {
  const [newest, setNewest] = useState<{ spec: EnvSpec; level: string; begun: BegunLevel } | null>(null);
  const begun = newest?.spec === spec && newest.level === level ? newest.begun : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `level` is what is used of `env` and `seed`
  useEffect(() => {
    // The panel was hidden, which ended the worker; the game's next move starts it again.
    if (begun) return;
    let isWanted = true;
    let player: ReturnType<typeof playerOf> | undefined;
    const play = async () => {
      const { name, config } = props.env;
      player = playerOf(name, config);
      return OwnEnvGame.ofLevel(name, config, props.seed, SEARCH_BUDGET, player);
    };
    play()
      .then(begunWith, problemOf)
      .then((begun) => isWanted && setNewest({ spec, level, begun }));
    return () => {
      isWanted = false;
      player?.end();
    };
  }, [spec, level]);
  if (!begun) return <div className="skeleton h-80 rounded-lg" aria-busy="true" />;
  return <Begun {...props} begun={begun} />;
}

function Begun({ begun, seed, onBack }: OwnLevelProps & { begun: BegunLevel }) {
  if ("problem" in begun) return <Problem text={begun.problem} />;
  return (
    <OwnPlay key={begun.key} game={begun.game} from={`level ${seed}`} onBack={onBack} backTo="Stop playing">
      level {seed} from its beginning, for the rewards of the environment.
    </OwnPlay>
  );
}

const Problem = ({ text }: { text: string }) => (
  <p role="alert" className="text-dense break-words text-danger">
    {text}
  </p>
);

/** A new game, or why there is none. */
type BegunLevel = { game: Game; key: number } | { problem: string };

let games = 0;
const begunWith = (game: Game): BegunLevel => ({ game, key: games++ });
const problemOf = (error: unknown): BegunLevel => ({ problem: wholeText(serializeError(error)) });

/** The search for a level takes no longer than the one for its picture. */
const SEARCH_BUDGET = 1;

function begin({ env: { name, config }, seed }: Pick<OwnLevelProps, "env" | "seed">): BegunLevel {
  try {
    return begunWith(new OwnGame({ envId: name, seed, turns: [] }, config, 0, SEARCH_BUDGET));
  } catch (error) {
    return problemOf(error);
  }
}
