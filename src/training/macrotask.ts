// Letting messages in between two pieces of work that never wait.

/** Resolves in a new task, so that messages which arrived meanwhile, such as changed settings, are handled first. */
export function macrotask(): Promise<void> {
  return new Promise((done) => {
    // Browsers delay nested timeouts by 4 ms; a message to oneself arrives at once.
    if (typeof setImmediate === "function") return void setImmediate(done);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}
