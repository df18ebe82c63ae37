// One failure that ends many waits, such as the loss of a GPU device.

type Reject = (error: Error) => void;

/**
 * Rejects pending waits when `break` is called. `Promise.race` against one promise that lives as long as the device would
 * keep a reaction, and with it the value, of every wait there ever was.
 */
export class Breaker {
  private readonly pending = new Set<Reject>();
  private reason: Error | null = null;

  /** Rejects every wait with `error`, those that begin later included. Only the first call counts. */
  break(error: Error): void {
    if (this.reason) return;
    this.reason = error;
    for (const reject of this.pending) reject(error);
    this.pending.clear();
  }

  /** The result of `work`, or the error of `break` if that comes first. A late rejection of `work` is ignored. */
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
