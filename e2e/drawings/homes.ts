// The golden pictures of Navigation as hashes, in whichever thread this module runs.
import { goldenPictures } from "../../src/envs/navigation/golden.ts";

/** The SHA-1 of the bytes of each picture, in hexadecimal digits. */
export const homeHashes = (): Promise<string[]> =>
  Promise.all(
    goldenPictures().map(async ({ data }) => {
      const hash = await crypto.subtle.digest("SHA-1", new Uint8Array(data));
      return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    }),
  );
