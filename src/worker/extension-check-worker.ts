// Tries an extension where it can do no harm.
import type { ExtensionSource } from "../extension/api.ts";
import { type Tried, tried } from "../extension/index.ts";
import { loadModule } from "../run/snippet.ts";
import { answerSealed } from "./sealed-scope.ts";

answerSealed(async (extension: ExtensionSource): Promise<Tried> => tried(await loadModule(extension)));
