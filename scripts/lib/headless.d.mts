/** Bundles the command line into dist-cli/cli.js when its sources have changed. */
export function ensureBundle(): Promise<void>;
