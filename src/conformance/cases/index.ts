// All cases. A kernel without cases fails cases.test.ts.
import type { KernelCase } from "../case.ts";
import { advantageCases } from "./advantages.ts";
import { attentionCases } from "./attention.ts";
import { decodingCases } from "./decoding.ts";
import { elementwiseCases } from "./elementwise.ts";
import { linearCases } from "./linear.ts";
import { lossCases } from "./losses.ts";
import { normCases } from "./norms.ts";
import { optimizerCases } from "./optimizer.ts";
import { pictureCases } from "./pictures.ts";
import { ppoLossCases } from "./ppo-loss.ts";
import { statisticsCases } from "./statistics.ts";
import { tokenCases } from "./tokens.ts";

export const kernelCases: readonly KernelCase[] = [
  // Small ones first: they show at once that the check works.
  ...elementwiseCases,
  ...linearCases,
  ...normCases,
  ...attentionCases,
  ...tokenCases,
  ...decodingCases,
  ...pictureCases,
  ...lossCases,
  ...ppoLossCases,
  ...advantageCases,
  ...statisticsCases,
  ...optimizerCases,
];
