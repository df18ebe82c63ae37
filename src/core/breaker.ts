// Rejects many pending waits with one error, such as the loss of a GPU device.

type Reject = (error: Error) => void;

/**
 * Rejects pending waits when `break` is called. A `Promise.race` against one promise that lives as long as the device would
 * leak: that promise would keep a reaction to every wait, and its value.
 */
export class Breaker {
  private readonly pending = new Set<Reject>();
  private reason: Error | null = null;

  /** Rejects every pending and later wait with `error`. Only the first call counts. */
  break(error: Error): void {
    if (this.reason) return;
    this.reason = error;
    for (const reject of this.pending) reject(error);
    this.pending.clear();
  }

  /** Settles as `work` does, or rejects with the error of `break` if that comes first. Ignores a later rejection of `work`. */
  guard<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (report: () => void) => {
        this.pending.delete(reject);
        report();
      };
      work.then(
        (value) => settle(() => resolve(value)),
        (error) => settle(() => reject(error)),
      );
      if (this.reason) reject(this.reason);
      else this.pending.add(reject);
    });
  }
}
