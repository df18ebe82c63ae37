// Tries an extension where it can do no harm.
import { checkEnvironment } from "../extension/check-environment.ts";
import { environmentsIn } from "../extension/index.ts";
import { loadExtension } from "../run/snippet.ts";
import type { EnvironmentReport, ToExtensionCheck } from "./extension-check-protocol.ts";
import { answerSealed } from "./sealed-scope.ts";

answerSealed(async ({ extension }: ToExtensionCheck): Promise<EnvironmentReport[]> => {
  const specs = environmentsIn(await loadExtension(extension));
  return specs.map((spec) => ({ title: spec.title, lines: checkEnvironment(spec) }));
});
