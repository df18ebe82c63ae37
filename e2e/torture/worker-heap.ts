// Memory of a page and of its training worker after a collection, read through the browser's debugger.
import type { CDPSession } from "playwright-core";
import type { StudioPage } from "./studio-page.ts";

interface Usage {
  usedSize: number;
  backingStorageSize?: number;
}

/** Bytes of the worker's heap and array buffers, then those of the page. */
export async function heapOf({ context, page }: StudioPage): Promise<[number, number, number, number]> {
  const session = await context.newCDPSession(page);
  try {
    const worker = await usageOf(await workerSession(session));
    const own = await usageOf((method) => session.send(method as "Runtime.getHeapUsage"));
    return [worker.usedSize, worker.backingStorageSize ?? 0, own.usedSize, own.backingStorageSize ?? 0];
  } finally {
    await session.detach();
  }
}

type Send = (method: string) => Promise<unknown>;

/** An element that React has removed is free only after the collection that frees what referred to it. */
const COLLECTIONS = 4;

async function usageOf(send: Send): Promise<Usage> {
  for (let i = 0; i < COLLECTIONS; i++) await send("HeapProfiler.collectGarbage");
  return (await send("Runtime.getHeapUsage")) as Usage;
}

/** Playwright has no session for a worker, so messages to it go through the page's. */
async function workerSession(session: CDPSession): Promise<Send> {
  const attached = new Promise<string>((resolve) =>
    session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
      if (targetInfo.type === "worker" && targetInfo.url.includes("worker")) resolve(sessionId);
    }),
  );
  await session.send("Target.setAutoAttach", {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  });
  const sessionId = await attached;
  let id = 0;
  return (method) => {
    const own = ++id;
    const answer = new Promise((resolve, reject) =>
      session.on("Target.receivedMessageFromTarget", ({ message }) => {
        const { id: of, result, error } = JSON.parse(message);
        if (of === own) error ? reject(new Error(error.message)) : resolve(result);
      }),
    );
    void session.send("Target.sendMessageToTarget", {
      sessionId,
      message: JSON.stringify({ id: own, method }),
    });
    return answer;
  };
}
