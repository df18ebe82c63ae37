// Plays a user's own environment where its code can do no harm.
import { EnvError } from "../core/errors.ts";
import type { EnvSpec } from "../envs/env.ts";
import type { ExtensionSource } from "../extension/api.ts";
import { environmentsIn } from "../extension/index.ts";
import { loadModule } from "../run/snippet.ts";
import { answerOwnEnv } from "./own-env.ts";
import type { FromOwnEnv, OwnEnv, ToOwnEnv } from "./own-env-protocol.ts";
import { answerSealed } from "./sealed-scope.ts";

answerSealed(
  async (question: ToOwnEnv): Promise<FromOwnEnv> => answerOwnEnv(await specOf(question), question),
);

/** The environments of the text that was sent last: a game asks with every action. */
let known: { source: string; specs: Promise<EnvSpec[]> } | undefined;

async function specOf({ extension, envId }: OwnEnv): Promise<EnvSpec> {
  if (known?.source !== extension.source)
    known = { source: extension.source, specs: environmentsOf(extension) };
  const spec = (await known.specs).find(({ id }) => id === envId);
  if (!spec) throw new EnvError("own_failed", `${extension.name} has no environment "${envId}".`);
  return spec;
}

const environmentsOf = async (extension: ExtensionSource): Promise<EnvSpec[]> =>
  environmentsIn(await loadModule(extension));
