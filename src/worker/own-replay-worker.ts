// Plays recorded actions in a user's own environment, where its code can do no harm.
import { EnvError } from "../core/errors.ts";
import { environmentsIn } from "../extension/index.ts";
import { loadExtension } from "../run/snippet.ts";
import type { PlayedActions, RecordedActions, ToOwnReplay } from "./own-replay-protocol.ts";
import { answerSealed } from "./sealed-scope.ts";

answerSealed(async ({ extension, envId, turns }: ToOwnReplay): Promise<PlayedActions> => {
  const spec = environmentsIn(await loadExtension(extension)).find(({ id }) => id === envId);
  if (!spec?.recorded) throw new EnvError("own_failed", `${extension.name} has no environment "${envId}".`);
  const { next } = spec.recorded;
  return turns.map(({ before, actions }: RecordedActions) => {
    let truth = before;
    return actions.map((action) => (truth = next(truth, action)));
  });
});
