// Batches of episodes in the order of their numbers, of which later ones may begin before they are due. Everything happens in rounds:
// one reply of every episode in progress. What is played, and with which weights, therefore depends on no clock.
import type { Trajectory } from "../core/types.ts";
import type { Policy } from "../policy/policy.ts";
import { Contexts } from "./contexts.ts";
import type { Episode } from "./episodes.ts";
import { recordVersions, workflowOf } from "./play.ts";
import { type Game, playTurn, type RolloutOptions, trajectoryOf, type Workflow } from "./rollout.ts";
import { taskOf } from "./task.ts";

/** Where the episodes of a stream come from. */
interface EpisodeSource {
  /** Groups of one batch. */
  readonly groups: number;
  /** The episodes of a group of a batch. `attempt` counts the groups that were dropped in its place. */
  episodesOf(batch: number, group: number, attempt: number): readonly Episode[];
}

/** How one batch is collected. */
interface CollectOptions extends Pick<RolloutOptions, "task" | "sampling" | "signal"> {
  batch: number;
  /** The last batch whose episodes may begin meanwhile. */
  until: number;
  /** Updates behind the policy. */
  version: number;
  /** A group that would be played in more calls than this is dropped as a whole, and another one takes its place. */
  mostCalls: number;
  /** Called when an episode of this batch is over. */
  onTrajectory?: () => void;
}

/** An episode in progress. */
interface Player {
  game: Game;
  /** Version of the policy in each turn. */
  versions: number[];
}

interface Group {
  readonly batch: number;
  readonly index: number;
  attempt: number;
  episodes: readonly Episode[];
  /** By episode; empty before it begins and after it is over. */
  players: (Player | undefined)[];
  finished: (Trajectory | undefined)[];
  /** The call of `collect` in which its first episode began. */
  began?: number;
}

/** Plays a stream of episodes, batch after batch. After an error it cannot be used any more. */
export class EpisodeStream {
  /** Groups of batches that have not been returned, in order. */
  private groups: Group[] = [];
  private lastQueued = 0;
  private calls = 0;
  private free: number[];
  private readonly contexts: Contexts;
  /** Groups that were dropped since the last call of `takeDropped`. */
  private dropped = 0;

  /** @param slots conversations that `policy` can hold at once. */
  constructor(
    private readonly source: EpisodeSource,
    policy: Policy,
    private readonly slots: number,
  ) {
    this.contexts = new Contexts(policy);
    this.free = Array.from({ length: slots }, (_, slot) => slot);
  }

  /**
   * Plays until every episode of a batch is over and returns it in the order of its episodes. Batches are collected one after another.
   * Episodes that began earlier continue with the policy's present weights, at a turn of their own.
   * @throws the signal's reason when aborted.
   */
  async collect(options: CollectOptions): Promise<Trajectory[]> {
    const { batch, until, mostCalls, task, signal } = options;
    this.calls++;
    this.queue(batch, until);
    for (const group of this.groups) this.dropIfOld(group, mostCalls);
    // Rewards may have changed since they began.
    for (const { game } of this.players()) game.task = taskOf(task, game.episode);
    this.contexts.begin(this.slots);
    const workflow = workflowOf(task);
    while (this.done(batch) < this.of(batch).flatMap(({ episodes }) => episodes).length) {
      signal?.throwIfAborted();
      this.seat(workflow);
      await this.playRound(options, workflow);
    }
    const complete = this.of(batch);
    this.groups = this.groups.filter((group) => group.batch !== batch);
    return complete.flatMap(({ finished }) => finished as Trajectory[]);
  }

  /** Episodes of a batch that are over. */
  done(batch: number): number {
    return this.of(batch).flatMap(({ finished }) => finished.filter(Boolean)).length;
  }

  /** The number of groups dropped since the last call. */
  takeDropped(): number {
    const { dropped } = this;
    this.dropped = 0;
    return dropped;
  }

  private players(): Player[] {
    return this.groups.flatMap(({ players }) => players.filter((one) => one !== undefined));
  }

  private of(batch: number): Group[] {
    return this.groups.filter((group) => group.batch === batch);
  }

  private queue(batch: number, until: number): void {
    const first = Math.max(batch, this.lastQueued + 1);
    for (let next = first; next <= until; next++)
      for (let index = 0; index < this.source.groups; index++)
        this.groups.push(this.newGroup(next, index, 0));
    this.lastQueued = Math.max(this.lastQueued, until);
  }

  private newGroup(batch: number, index: number, attempt: number): Group {
    const episodes = this.source.episodesOf(batch, index, attempt);
    const players: Group["players"] = episodes.map(() => undefined);
    return { batch, index, attempt, episodes, players, finished: episodes.map(() => undefined) };
  }

  private dropIfOld(group: Group, mostCalls: number): void {
    const isOver = group.finished.every(Boolean);
    if (isOver || group.began === undefined || this.calls - group.began + 1 <= mostCalls) return;
    for (const player of group.players) if (player) this.leave(player);
    const { began: _, ...fresh } = this.newGroup(group.batch, group.index, group.attempt + 1);
    delete group.began;
    Object.assign(group, fresh);
    this.dropped++;
  }

  private leave({ game }: Player): void {
    this.contexts.renew(game.slot);
    this.free.push(game.slot);
    // The order in which episodes end must not decide which slot comes next.
    this.free.sort((a, b) => a - b);
  }

  /** Begins episodes while there is room, those of earlier groups first. */
  private seat(workflow: Workflow<Game>): void {
    for (const group of this.groups)
      for (const [i, episode] of group.episodes.entries()) {
        if (group.players[i] || group.finished[i]) continue;
        const slot = this.free.shift();
        if (slot === undefined) return;
        group.players[i] = { game: workflow.start(episode, slot), versions: [] };
        group.began ??= this.calls;
      }
  }

  /** One turn of every episode in progress. */
  private async playRound(options: CollectOptions, workflow: Workflow<Game>): Promise<void> {
    const { task, sampling, signal, version, batch, onTrajectory } = options;
    const players = this.players();
    const games = players.map(({ game }) => game);
    const played = { task, sampling, episodes: [], policy: this.contexts, ...(signal && { signal }) };
    await playTurn(games, played, workflow);
    for (const { versions } of players) versions.push(version);
    for (const group of this.groups)
      for (const [i, player] of group.players.entries()) {
        if (!player || !workflow.isOver(player.game)) continue;
        group.finished[i] = recordOf(player, workflow);
        group.players[i] = undefined;
        this.leave(player);
        if (group.batch === batch) onTrajectory?.();
      }
  }
}

function recordOf({ game, versions }: Player, workflow: Workflow<Game>): Trajectory {
  const trajectory = trajectoryOf(game, workflow.finish(game));
  recordVersions(trajectory.tokens, (turn) => versions[turn]!);
  return trajectory;
}
