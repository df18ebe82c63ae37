// Draws icons, compares them with each other, and draws homes, as the studio's worker would.
import { loadRaster } from "../../src/envs/svg/raster.ts";
import { homeHashes } from "./homes.ts";
import { drawSample } from "./sample.ts";

try {
  await loadRaster();
  self.postMessage({ drawings: drawSample(), workerHomes: await homeHashes() });
} catch (error) {
  self.postMessage({ error: String(error) });
}
