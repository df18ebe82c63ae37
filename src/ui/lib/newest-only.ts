/**
 * Works on one question at a time and on the newest next; those that came in between are never begun. `work` must not
 * reject.
 */
export function newestOnly<Q>(work: (question: Q) => Promise<void>): (question: Q) => void {
  let waiting: { question: Q } | null = null;
  let busy = false;
  const run = async () => {
    busy = true;
    while (waiting) {
      const { question }: { question: Q } = waiting;
      waiting = null;
      await work(question);
    }
    busy = false;
  };
  return (question) => {
    waiting = { question };
    if (!busy) void run();
  };
}
