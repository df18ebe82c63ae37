// Draws icons and compares them with each other, as the studio's worker would.
import { loadRaster } from "../../src/envs/svg/raster.ts";
import { drawSample } from "./sample.ts";

try {
  await loadRaster();
  self.postMessage(drawSample());
} catch (error) {
  self.postMessage(String(error));
}
