// Keeps the built page for visits without a network. It never reloads a page and never replaces a file under a page that
// is open: a new version waits until every tab of the old one is closed, because a reload would end a run.
// The build writes VERSION and FILES above this line.
/* global VERSION, FILES */

const PREFIX = "vagen-studio ";
const CACHE = PREFIX + VERSION;
const base = new URL("./", self.location.href).href;

self.addEventListener("install", (event) => event.waitUntil(keepFiles()));
self.addEventListener("activate", (event) => event.waitUntil(dropOlder().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = pathOf(request);
  if (path === null) return;
  // The name of a file in assets/ changes with its content, so the copy is always right.
  if (path.startsWith("assets/")) event.respondWith(copyFirst(event, path));
  else event.respondWith(networkFirst(event, path));
});

/** Path of the page's own file that is requested; null for all other requests, which go to the network unchanged. */
function pathOf(request) {
  const [url] = request.url.split(/[?#]/);
  if (request.method !== "GET" || !url.startsWith(base) || request.headers.has("range")) return null;
  const path = url.slice(base.length).replace(/^index\.html$/, "");
  return path.startsWith("checkpoints/") || FILES.includes(path) || path.startsWith("assets/") ? path : null;
}

async function keepFiles() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((file) => new Request(base + file, { cache: "reload" })));
}

async function dropOlder() {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
}

async function copyFirst(event, path) {
  const { request } = event;
  const copy = await caches.match(request, { ignoreVary: true });
  if (copy) return copy;
  const response = await fetch(request);
  // Not among FILES, because most visits never need it.
  if (response.ok && path.endsWith(".wasm")) event.waitUntil(keepIfRoom(request, response.clone()));
  return response;
}

/** Files whose names stay the same: the newest while there is a network, the copy otherwise. */
async function networkFirst(event, path) {
  try {
    const response = await fetch(event.request);
    if (response.ok && path.startsWith("checkpoints/"))
      event.waitUntil(keepIfRoom(event.request, response.clone()));
    return response;
  } catch (error) {
    const copy = await caches.match(base + path, { ignoreVary: true });
    if (copy) return copy;
    throw error;
  }
}

/** Without room for a copy the answer is still good. */
async function keepIfRoom(request, response) {
  try {
    const cache = await caches.open(CACHE);
    await cache.put(request, response);
  } catch {
    // The storage is full or blocked.
  }
}
