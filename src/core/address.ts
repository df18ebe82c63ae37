// Where a judge's requests go and where its key is, as texts of a configuration: what they may hold.

/** Names an endpoint. A key that was given for one endpoint is used for no other. */
export const endpointOf = (judge: { readonly provider: string; readonly base_url: string }): string =>
  `${judge.provider} ${judge.base_url}`;

/** http or https, host, port and path. Credentials, a query or a fragment would be stored wherever the address is. */
export const isPlainAddress = (address: string): boolean =>
  /^https?:\/\/(\[[\da-f:.]+\]|[^\s/?#@\\:[\]]+)(:\d{1,5})?(\/[^\s?#\\]*)?$/i.test(address);

/** The address without name and password, query and fragment. */
export function withoutCredentials(address: string): string {
  const [place = ""] = address.split(/[?#]/);
  return place.replace(/^(https?:)?[/\\]*[^/\\]*@/i, "$1//");
}

/** Whether a text can name an environment variable that holds a key; most keys cannot. Empty names none. */
export const isVariableName = (name: string): boolean => /^([A-Z_][A-Z0-9_]*)?$/.test(name);

/** Whether the address is of this machine: what is sent there stays here. */
export const isLoopback = (address: string): boolean =>
  isPlainAddress(address) &&
  /^https?:\/\/(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:|\/|$)/i.test(address);

/** A plain configuration, of any version, with an address that holds no credentials. */
export function withoutSecrets<T extends object>(config: T): T {
  const { judge } = config as { judge?: { base_url?: unknown } | null };
  if (typeof judge?.base_url !== "string") return config;
  return { ...config, judge: { ...judge, base_url: withoutCredentials(judge.base_url) } };
}
