// Every target of fuzzing by name. `npm run torture -- --only fuzz` runs 10,000 inputs of each, the tests some hundred.
import { checkpoints } from "./checkpoints.ts";
import { configs } from "./configs.ts";
import { extensions } from "./extensions.ts";
import { type FuzzReport, fuzz } from "./fuzz.ts";
import { houseFiles } from "./house-files.ts";
import { replies } from "./replies.ts";
import { runFolders } from "./run-folders.ts";
import { vagenFiles } from "./vagen-files.ts";

export type { FuzzCase, FuzzReport } from "./fuzz.ts";

/** Reads inputs `first` … `first + n − 1` of a seed; each is the same whatever was read before it. */
type Fuzzer = (seed: number, n: number, first?: number) => Promise<FuzzReport>;

export const fuzzers: Readonly<Record<string, Fuzzer>> = {
  replies: (seed, n, first) => fuzz(replies, seed, n, first),
  configs: (seed, n, first) => fuzz(configs, seed, n, first),
  vagen: (seed, n, first) => fuzz(vagenFiles, seed, n, first),
  checkpoints: (seed, n, first) => fuzz(checkpoints, seed, n, first),
  extensions: (seed, n, first) => fuzz(extensions, seed, n, first),
  houses: (seed, n, first) => fuzz(houseFiles, seed, n, first),
  folders: (seed, n, first) => fuzz(runFolders, seed, n, first),
};
