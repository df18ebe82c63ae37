// Loaded before the command line by `node --import`: ends the process at its n-th change of a file. TORTURE_KILL_AT says
// at which, and whether before it, in its middle or after it: "7:half". A change without a middle is not made then.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [wanted, moment] = process.env.TORTURE_KILL_AT.split(":");
let count = 0;
let isInside = false;

const die = () => process.kill(process.pid, "SIGKILL");
const isTurn = () => !isInside && ++count === Number(wanted);

/** The first half of what a call is to write, in place of all of it. */
function halved(args, at) {
  const bytes = Buffer.from(args[at]);
  return args.with(at, bytes.subarray(0, bytes.length >> 1));
}

/** Wraps a function that changes a file. `data` is the position of what it writes; absent for renames and the like. */
function watch(object, name, data) {
  const original = object[name];
  const inside = (self, args) => {
    // One change may be made of others: appendFileSync calls writeFileSync.
    isInside = true;
    try {
      return original.apply(self, args);
    } finally {
      isInside = false;
    }
  };
  object[name] = function (...args) {
    if (!isTurn()) return inside(this, args);
    if (moment === "before") die();
    const work =
      moment === "after" ? inside(this, args) : data !== undefined && inside(this, halved(args, data));
    return work?.then ? work.then(die) : die();
  };
}

for (const name of ["writeFileSync", "appendFileSync"]) watch(fs, name, 1);
for (const name of ["renameSync", "truncateSync", "ftruncateSync", "rmSync", "unlinkSync", "copyFileSync"])
  watch(fs, name);
for (const name of ["writeFile", "appendFile"]) watch(fs.promises, name, 1);
for (const name of ["rename", "rm", "truncate", "unlink", "copyFile"]) watch(fs.promises, name);
const handle = await fs.promises.open(new URL(import.meta.url), "r");
for (const name of ["write", "writeFile", "appendFile"]) watch(Object.getPrototypeOf(handle), name, 0);
watch(Object.getPrototypeOf(handle), "truncate");
await handle.close();
syncBuiltinESMExports();
