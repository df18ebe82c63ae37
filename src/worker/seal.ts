// Takes the network and the storage from code that a worker loads later, such as an extension's. What the worker's own code needs of
// them afterwards, it keeps for itself.

/** What reaches other machines, this device's storage, or a thread that does; besides `fetch`. */
const REACH = [
  ...["XMLHttpRequest", "WebSocket", "WebSocketStream", "WebTransport", "EventSource"],
  ...["indexedDB", "caches", "BroadcastChannel", "Worker", "SharedWorker", "importScripts"],
  ...["webkitRequestFileSystem", "webkitRequestFileSystemSync"],
];
const NAVIGATOR = ["storage", "storageBuckets", "serviceWorker", "locks", "sendBeacon"];

/** The fetch of a confined worker's own code. */
let kept: typeof fetch | undefined;

/** Fetches from anywhere, for code that is not an extension's, also in a confined worker. */
export const networkFetch: typeof fetch = (...request) => (kept ?? globalThis.fetch)(...request);

/** Takes everything, messages to the page as well, for a worker that only tries an extension or plays its games. */
export function seal(): void {
  for (const name of ["fetch", "postMessage"]) replace(name, undefined);
  takeReach([...NAVIGATOR, "gpu"]);
}

/** Leaves the files of the page itself, which worlds load when they are first needed, and the GPU: for a worker that trains. */
export function confine(): void {
  if (kept) return;
  kept = globalThis.fetch.bind(globalThis);
  replace("fetch", ownFiles);
  takeReach(NAVIGATOR);
}

const ownFiles: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { protocol, origin } = new URL(request.url);
  if (["blob:", "data:"].includes(protocol) || origin === location.origin) return networkFetch(request);
  throw new TypeError(`fetch of ${request.url}: an extension has no network`);
};

function takeReach(ofNavigator: readonly string[]): void {
  for (const name of REACH) replace(name, undefined);
  for (const name of ofNavigator) replace(name, undefined, navigator);
}

/** Replaces a property wherever it is defined, for good. */
function replace(name: string, value: unknown, of: object = globalThis): void {
  for (let owner: object | null = of; owner; owner = Object.getPrototypeOf(owner))
    if (Object.hasOwn(owner, name))
      Object.defineProperty(owner, name, { value, configurable: false, writable: false });
}
