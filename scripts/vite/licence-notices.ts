// What packages do not say themselves: some come without a licence text, some are changed here, and of one only a small part is used.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const read = (file: string): string =>
  readFileSync(join(import.meta.dirname, "licences", file), "utf8").trim();

const MIT = read("MIT.txt");
const MPL = read("MPL-2.0.txt");
/** The studio's own licence without its notice. */
const [APACHE = ""] = readFileSync(join(root, "LICENSE"), "utf8").split("   APPENDIX:");

const microsoft = "MIT License\n\nCopyright (c) Microsoft Corporation";

/**
 * By package, in the place of the files of the package: its copyright, as its source states it, and its licence.
 * A licence that is not here yet goes into `licences/`.
 */
export const NOTICES: Readonly<Record<string, readonly string[]>> = {
  "@bufbuild/protobuf": ["Copyright 2021-2025 Buf Technologies, Inc.", APACHE, read("protobuf-BSD.txt")],
  "@mdi/svg": [
    `Material Design Icons, by the Pictogrammers icon group (https://pictogrammers.com).
Changed: each icon used here is one path in whole units.`,
    APACHE,
  ],
  "@mujoco/mujoco": [
    `Copyright 2021 DeepMind Technologies Limited
Changed: the bindings make no functions from text.`,
    APACHE,
    read("mujoco-libraries.txt"),
  ],
  "@resvg/resvg-wasm": [
    `Copyright (c) 2021-present, yisibl(一丝)
The source is at https://github.com/yisibl/resvg-js, that of resvg itself at https://github.com/linebender/resvg.`,
    MPL,
    // Neither the package nor its source has their licence texts.
    read("resvg-libraries.txt"),
  ],
  "onnx-buf": ["MIT License\n\nCopyright (c) 2025 Eric Zhang", MIT],
  "onnxruntime-common": [microsoft, MIT],
  "onnxruntime-web": [
    microsoft,
    MIT,
    `The WebAssembly files contain other libraries, which
https://github.com/microsoft/onnxruntime/blob/main/ThirdPartyNotices.txt names with their licences.`,
  ],
  "react-remove-scroll-bar": ["MIT License\n\nCopyright (c) 2025 Anton Korzunov <thekashey@gmail.com>", MIT],
  // Its own file also has the licences of what it builds with, none of which is in the page.
  vite: ["MIT License\n\nCopyright (c) 2019-present, VoidZero Inc. and Vite contributors", MIT],
};
