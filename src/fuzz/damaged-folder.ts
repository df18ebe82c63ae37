// Damage to a run's folder: bytes that a disk lost, and lines that are valid JSON but no event.
import type { Rng } from "../core/rng.ts";
import { type CheckpointMeta, decodeCheckpoint, encodeCheckpoint } from "../persistence/checkpoint.ts";
import { damagedBytes, mutatedJson } from "./mutate.ts";
import type { Folder } from "./sample-run.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const encode = (text: string): Bytes => new TextEncoder().encode(text);
const decode = (bytes: Bytes): string => new TextDecoder().decode(bytes);

/** Lines of JSON that no run writes. */
const HOSTILE_LINES = [
  "null",
  "0",
  "[]",
  "{}",
  '"text"',
  "[null]",
  '{"type":"toString"}',
  '{"type":"__proto__"}',
  '{"type":"constructor","update":1}',
  '{"__proto__":{"polluted":1}}',
  '{"type":"metrics","stage":"ppo","update":1e308,"values":{},"tokens":0,"episodes":0,"wallMs":0}',
  '{"type":"metrics","stage":"ppo","update":9007199254740991,"values":{"a":1},"tokens":0,"episodes":0,"wallMs":0}',
  '{"type":"stage","stage":"ppo","firstUpdate":9007199254740991,"lastUpdate":0}',
  '{"type":"config_changed","update":1,"path":"__proto__.polluted","from":1,"to":2}',
  '{"type":"config_changed","update":1,"path":"env.config.size.toString","from":1,"to":{}}',
  '{"type":"rewound","update":0,"from":0}',
  "[".repeat(5000),
  `{"type":"${"x".repeat(100_000)}"}`,
];

/** Files that do not belong into the folder of a run. */
const STRAY: readonly [string, Bytes][] = [
  ["checkpoints/update-000030.safetensors", encode("")],
  ["checkpoints/update-000030.safetensors.part", encode("half")],
  ["checkpoints/update-99999999999999999999999.safetensors", encode("{}")],
  ["checkpoints/.DS_Store", encode("x")],
  ["verdicts.jsonl", encode("null\n{")],
  ["recording.jsonl", encode("[]\n")],
  ["notes.txt", encode("mine")],
];

/** A copy of the folder with one to four changes. */
export async function damagedFolder(random: Rng, folder: Folder): Promise<Folder> {
  const files = new Map(folder);
  for (let n = 1 + random.int(4); n > 0; n--) await change(random, files);
  return files;
}

async function change(random: Rng, files: Map<string, Bytes>): Promise<void> {
  if (random.int(12) === 0) {
    const [path, bytes] = random.pick(STRAY);
    files.set(path, bytes);
    return;
  }
  const path = random.pick([...files.keys()]);
  if (random.int(20) === 0) files.delete(path);
  else files.set(path, await changed(random, path, files.get(path)!));
}

async function changed(random: Rng, path: string, bytes: Bytes): Promise<Bytes> {
  if (random.int(3) === 0) return damagedBytes(random, bytes);
  if (random.int(8) === 0) return withHole(random, bytes);
  try {
    if (path.endsWith(".safetensors")) return await withMeta(random, bytes);
    if (path.endsWith(".packed")) return await repacked(random, bytes);
  } catch {
    // An earlier change has left nothing to read.
    return damagedBytes(random, bytes);
  }
  return encode(hostileLines(random, decode(bytes)));
}

/** What a disk returns where it lost a block. */
function withHole(random: Rng, bytes: Bytes): Bytes {
  const from = random.int(bytes.length + 1);
  return bytes.slice().fill(0, from, from + 4096);
}

async function withMeta(random: Rng, bytes: Bytes): Promise<Bytes> {
  const { meta, tensors } = await decodeCheckpoint(bytes, "sample");
  const other = mutatedJson(random, JSON.parse(JSON.stringify(meta)));
  return encodeCheckpoint({ meta: other as CheckpointMeta, tensors });
}

/** Another value with a valid checksum, as in a crafted file. */
async function repacked(random: Rng, bytes: Bytes): Promise<Bytes> {
  const start = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  const head = JSON.parse(decode(bytes.subarray(8, start)));
  const data = bytes.subarray(start);
  const value = JSON.stringify(mutatedJson(random, JSON.parse(head.value)));
  const sealed = new Uint8Array([...encode(value), ...data]);
  const sha256 = Buffer.from(await crypto.subtle.digest("SHA-256", sealed)).toString("hex");
  const text = encode(JSON.stringify({ ...head, value, sha256 }));
  const end = Math.ceil((8 + text.length) / 8) * 8;
  const file = new Uint8Array(end + data.length).fill(0x20, 8, end);
  new DataView(file.buffer).setBigUint64(0, BigInt(end), true);
  file.set(text, 8);
  file.set(data, end);
  return file;
}

function hostileJson(random: Rng, text: string): string {
  try {
    return JSON.stringify(mutatedJson(random, JSON.parse(text))) ?? "";
  } catch {
    return random.pick(HOSTILE_LINES);
  }
}

function hostileLines(random: Rng, text: string): string {
  const lines = text.split("\n");
  const at = random.int(lines.length);
  switch (random.int(8)) {
    case 0:
      return lines.join("\r\n");
    case 1:
      lines.splice(at, 0, lines[at]!.slice(0, random.int(lines[at]!.length + 1)));
      break;
    case 2:
      lines.splice(at, 0, random.pick(lines));
      break;
    case 3:
      lines.splice(at, 0, random.pick(HOSTILE_LINES));
      break;
    default:
      lines[at] = hostileJson(random, lines[at]!);
  }
  return lines.join("\n");
}
