// Many values wished for at once, of which some may be impossible: keep what goes together, say what does not and why.
import { getPath, setPath } from "../changes.ts";
import { configError, inspectRunConfig } from "../check.ts";
import { describeRunConfig } from "../describe.ts";
import type { ConfigProblem } from "../rules/problem.ts";
import type { RunConfig } from "../run-config.ts";

interface Wish {
  path: string;
  ours: unknown;
}

interface Settled<W extends Wish> {
  config: RunConfig;
  refused: readonly { wish: W; problem: ConfigProblem }[];
  /** Values nobody asked for that had to give way. */
  adjusted: Readonly<Record<string, unknown>>;
}

/** Settings of the studio's own that follow the rest of the configuration: how to make room for it. */
const GIVES_WAY: Readonly<Record<string, (value: number) => number>> = {
  "trainer.micro_batch_tokens": (tokens) => tokens * 2,
  "actor.ppo_mini_batch_size": (episodes) => Math.floor(episodes / 2),
  "sft.one_turn_updates": (updates) => Math.floor(updates / 2),
};

/**
 * The configuration with as many wishes as are possible together; later ones win over earlier ones of the same path.
 * @throws ConfigError when `base` itself is impossible.
 */
export function settle<W extends Wish>(
  base: object,
  wishes: readonly W[],
  adjusted: Readonly<Record<string, unknown>> = {},
): Settled<W> {
  const input = granted(base, wishes, adjusted);
  const { config, problems } = inspectRunConfig(input);
  if (config) return { config, refused: [], adjusted };
  const [problem] = problems as readonly [ConfigProblem];
  const room = roomFor(problem, wishes, input);
  if (room !== null) return settle(base, wishes, { ...adjusted, [problem.path]: room });
  const wish = culprit(base, wishes, adjusted, problem);
  if (!wish) throw configError(problems);
  const rest = settle(
    base,
    wishes.filter((other) => other !== wish),
    adjusted,
  );
  return { ...rest, refused: [{ wish, problem }, ...rest.refused] };
}

function granted(base: object, wishes: readonly Wish[], adjusted: Readonly<Record<string, unknown>>): object {
  const made = Object.entries(adjusted).map(([path, ours]) => ({ path, ours }));
  return [...made, ...wishes].reduce((tree, { path, ours }) => setPath(tree, path, ours), base);
}

function roomFor({ path }: ConfigProblem, wishes: readonly Wish[], input: object): number | null {
  const give = GIVES_WAY[path];
  if (!give || wishes.some((wish) => wish.path === path)) return null;
  const value = give(Number(getPath(input, path)));
  const { min = 0, max = Number.POSITIVE_INFINITY } = describeRunConfig().find(
    (field) => field.path === path,
  )!;
  return value >= min && value <= max ? value : null;
}

/** The wish that the problem is about: by its path, else one without which the problem is gone. */
function culprit<W extends Wish>(
  base: object,
  wishes: readonly W[],
  adjusted: Readonly<Record<string, unknown>>,
  problem: ConfigProblem,
): W | undefined {
  const byPath = wishes.findLast(({ path }) => path === problem.path || problem.path.startsWith(`${path}.`));
  const freeing = (wish: W) => {
    const others = wishes.filter((other) => other !== wish);
    const { problems } = inspectRunConfig(granted(base, others, adjusted));
    return !problems.some(({ path }) => path === problem.path);
  };
  return byPath ?? wishes.findLast(freeing) ?? wishes.at(-1);
}
