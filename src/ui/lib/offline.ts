// Prepares the page for a network that goes away.
import { savesData } from "./save-data.ts";

/**
 * Registers the service worker of a built page, which keeps its files for visits without a network. A browser that
 * blocks it, a visitor who saves data, or a page that is not built, goes without.
 */
export function keepForOffline(): void {
  if (!import.meta.env.PROD || savesData()) return;
  try {
    const address = new URL("sw.js", document.baseURI);
    navigator.serviceWorker?.register(address, { updateViaCache: "none" }).catch(() => undefined);
  } catch {
    // Where site data is blocked, even reading the property throws.
  }
}
