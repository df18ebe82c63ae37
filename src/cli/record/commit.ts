// The commit that a recording names.
import { execFileSync } from "node:child_process";

/** Paths that determine a recorded episode, apart from build tools. */
const INPUTS = [
  ...["agent", "config", "core", "envs", "eval", "gpu", "judge", "policy", "rl", "run", "training"].map(
    (room) => `src/${room}`,
  ),
  ...["shaders", ":(glob)public/checkpoints/*.safetensors", "public/presets"],
];

/**
 * The last commit that changed anything an episode follows from, tests aside: a change of the page must not change recordings.
 * Empty outside a repository.
 */
export function inputsCommit(): string {
  const args = ["log", "-1", "--format=%H", "--", ...INPUTS, ":(exclude)*.test.ts"];
  try {
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .trim()
      .slice(0, 12);
  } catch {
    return "";
  }
}
