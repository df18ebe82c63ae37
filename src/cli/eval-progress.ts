// What `eval` says while it plays: how long each player took, and twice a minute how far the present one is.
import { counted, formatDuration } from "../core/format.ts";
import type { Io } from "./io.ts";

/** Time between two lines about one player. */
const LINE_EVERY_MS = 30_000;

/** Lines on standard error; the results are on standard output. */
export class EvalProgress {
  private lastLineAt = 0;

  /** @param now the time in milliseconds */
  constructor(
    private readonly io: Pick<Io, "err">,
    private readonly now: () => number,
  ) {}

  /** Reports a player's episodes until `play`, which calls its argument after each episode, is done. */
  async during<T>(player: string, episodes: number, play: (onEpisode: () => void) => Promise<T>): Promise<T> {
    const startedAt = this.now();
    this.lastLineAt = startedAt;
    let done = 0;
    const result = await play(() => this.showEpisodes(player, ++done, episodes));
    this.print(`${player}: ${counted(episodes, "episode")} in ${formatDuration(this.now() - startedAt)}`);
    return result;
  }

  private showEpisodes(player: string, done: number, episodes: number): void {
    if (done === episodes || this.now() - this.lastLineAt < LINE_EVERY_MS) return;
    this.print(`${player}: ${done} of ${counted(episodes, "episode")}`);
  }

  private print(line: string): void {
    this.lastLineAt = this.now();
    this.io.err(`${line}\n`);
  }
}
