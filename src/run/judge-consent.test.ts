import { expect, test } from "vitest";
import { type Consent, consentedKey, decide, type EndpointRequest } from "./judge-consent.ts";

const wish = (
  base_url = "",
  api_key_env = "JUDGE_API_KEY",
  provider: EndpointRequest["provider"] = "openai",
): EndpointRequest => ({
  provider,
  base_url,
  api_key_env,
});
const consent = (...origins: string[]): Consent => ({ origins: new Set(origins) });
const env = { JUDGE_API_KEY: "sk-1", VAGEN_KEY_LAB: " sk-2\n", AWS_SECRET_ACCESS_KEY: "top-secret" };
const OPENAI = "https://api.openai.com";
const LAB = "https://lab.example";
const LOCAL = "http://127.0.0.1:8000";

test.each<[string, { key: string; isNamed: boolean }, ReturnType<typeof decide>]>([
  ["", { key: "k", isNamed: true }, "ask"],
  ["", { key: "k", isNamed: false }, "not_named"],
  ["", { key: "", isNamed: true }, "no_key"],
  ["https://api.openai.com/v1", { key: "", isNamed: false }, "no_key"],
  [`${LAB}/v1`, { key: "k", isNamed: true }, "ask"],
  [`${LAB}/v1`, { key: "k", isNamed: false }, "not_named"],
  [`${LAB}/v1`, { key: "", isNamed: true }, "ask"],
  [`${LAB}/v1`, { key: "", isNamed: false }, "not_named"],
  [`${LOCAL}/v1`, { key: "k", isNamed: true }, "ask"],
  [`${LOCAL}/v1`, { key: "k", isNamed: false }, "not_named"],
  [`${LOCAL}/v1`, { key: "", isNamed: true }, "ask"],
  [`${LOCAL}/v1`, { key: "", isNamed: false }, "ask"],
])("%j with %j: %s", (url, given, decision) => {
  expect(decide(wish(url), given)).toBe(decision);
});

test.each<[string, EndpointRequest, Consent, string]>([
  ["a named origin", wish(`${LAB}/v1`), consent(LAB), "sk-1"],
  ["a provider whose origin is named", wish(), consent(OPENAI), "sk-1"],
  ["a variable that begins as agreed", wish(`${LAB}/v1`, "VAGEN_KEY_LAB"), consent(LAB), "sk-2"],
  [
    "a variable of any name that the person gave",
    wish(`${LAB}/v1`, "VAGEN_KEY_LAB"),
    { ...consent(LAB), keyVariable: "AWS_SECRET_ACCESS_KEY" },
    "top-secret",
  ],
  ["a server of this machine without a key", wish(`${LOCAL}/v1`, "VAGEN_KEY_NONE"), consent(), ""],
  ["a server of this machine, no variable", wish(`${LOCAL}/v1`, ""), consent(), ""],
  ["an endpoint without a key that is named", wish(`${LAB}/v1`, ""), consent(LAB), ""],
])("%s is asked", async (_, wanted, given, key) => {
  expect(await consentedKey(wanted, given, env)).toBe(key);
});

test.each<[string, EndpointRequest, Consent, RegExp, string]>([
  [
    "a variable of another purpose",
    wish(`${LOCAL}/v1`, "AWS_SECRET_ACCESS_KEY"),
    consent(LOCAL),
    /judge\.api_key_env is "AWS_SECRET_ACCESS_KEY"/,
    "--judge-key-env AWS_SECRET_ACCESS_KEY",
  ],
  [
    "one that only resembles the agreed names",
    wish(LOCAL, "JUDGE_API_KEY_2"),
    consent(LOCAL),
    /may name/,
    "--judge-key-env",
  ],
  [
    "a key for an origin that is not named",
    wish(`${LAB}/v1`),
    consent(OPENAI),
    /has not been named/,
    `--judge-url ${LAB}`,
  ],
  ["another port", wish("https://lab.example:8443/v1"), consent(LAB), /lab\.example:8443/, "--judge-url"],
  ["another scheme", wish("http://lab.example/v1"), consent(LAB), /has not been named/, "--judge-url"],
  [
    "a host that begins alike",
    wish(`${LAB}.evil.example/v1`),
    consent(LAB),
    /has not been named/,
    "--judge-url",
  ],
  [
    "a key for a server of this machine",
    wish(LOCAL),
    consent(),
    /with the key in JUDGE_API_KEY/,
    `--judge-url ${LOCAL}`,
  ],
  ["the provider itself", wish(), consent(), /api\.openai\.com, with the key/, `--judge-url ${OPENAI}`],
  [
    "texts without a key",
    wish(`${LAB}/v1`, ""),
    consent(),
    /lab\.example; that endpoint/,
    `VAGEN_JUDGE_URLS=${LAB}`,
  ],
  [
    "a provider without its key",
    wish("", "VAGEN_KEY_NONE"),
    consent(OPENAI),
    /VAGEN_KEY_NONE is not set/,
    "VAGEN_KEY_NONE",
  ],
])("%s is refused by name", async (_, wanted, given, message, remedy) => {
  const refused = consentedKey(wanted, given, env);
  await expect(refused).rejects.toMatchObject({
    name: "ConfigError",
    message: expect.stringMatching(message),
    hint: expect.stringContaining(remedy),
  });
  await expect(refused).rejects.not.toThrow(/sk-1|sk-2|top-secret/);
});

test.each([true, false])(
  "a person on a terminal is asked, with the names and no value: %s",
  async (answer) => {
    const questions: string[] = [];
    const confirm = async (question: string) => questions.push(question) > 0 && answer;
    const asked = consentedKey(wish(`${LAB}/v1`), { ...consent(), confirm }, env);
    if (answer) expect(await asked).toBe("sk-1");
    else await expect(asked).rejects.toThrow("has not been named");
    expect(questions).toEqual([
      `The configuration asks the judge at ${LAB}. Send it claims and states, with the key in JUDGE_API_KEY?`,
    ]);
    // A question does not make a variable the judge's.
    const other = wish(`${LAB}/v1`, "AWS_SECRET_ACCESS_KEY");
    await expect(consentedKey(other, { ...consent(), confirm }, env)).rejects.toThrow("may name");
    expect(questions).toHaveLength(1);
  },
);

test.each(["sk 1", "sk-ü", "sk-1\nsk-2"])(
  "a value that no header can carry is refused, and not shown: %j",
  async (value) => {
    const asked = consentedKey(wish(`${LAB}/v1`), consent(LAB), { JUDGE_API_KEY: value });
    await expect(asked).rejects.toThrow("The value of JUDGE_API_KEY is not a key");
    await expect(asked).rejects.not.toThrow(value);
  },
);
