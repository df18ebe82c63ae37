// Options of RemoteEnv that VAGEN's client reads itself and never sends to the server of environments.
import { type KeyMapping, liteEntry } from "../key-mapping.ts";
import { REMOTE, theirTask } from "../task-names.ts";

const CLIENT =
  "Says how VAGEN reaches a server of environments; the studio plays in the page and needs none.";

const TO_FILL_IN = "http://HOST:PORT";

export const remoteKeys: readonly KeyMapping[] = [
  liteEntry.written(
    "config.base_urls",
    CLIENT,
    ({ env }) => (theirTask(env.name, "lite").name === REMOTE ? TO_FILL_IN : undefined),
    { note: "Fill in the address of your server of this environment." },
  ),
  ...liteEntry.ignoredIn(
    "config",
    CLIENT,
    "url_file token timeout retries max_retries backoff max_delay backoff_jitter_min backoff_jitter_range log_retries failover_after_failures",
  ),
];
