// The request and response formats of the three kinds of endpoints.
// OpenAI: https://platform.openai.com/docs/api-reference/chat; Anthropic: https://docs.anthropic.com/en/api/messages;
// Gemini: https://ai.google.dev/api/generate-content.

import { registry } from "../../core/registry.ts";
import { z } from "../../core/schema.ts";

/** One message to a model. */
interface Prompt {
  model: string;
  text: string;
  temperature: number;
  maxTokens: number;
  /** The endpoint rejects the usual name of the length; see `renamesLength`. */
  isLengthRenamed: boolean;
}

/** Tokens that a reply costs; absent if the endpoint does not report them. */
export interface TokenCounts {
  input?: number | null | undefined;
  output?: number | null | undefined;
}

export interface Provider {
  readonly id: string;
  /** The default address. */
  readonly baseUrl: string;
  path(model: string): string;
  headers(key: string): Readonly<Record<string, string>>;
  body(prompt: Prompt): object;
  /** Whether an error message asks for the length under its other name; absent where it has one name only. */
  renamesLength?(message: string): boolean;
  /** The model's text. Throws if the reply has another form. */
  text(reply: unknown): string;
  /** The reported cost of a reply, even of one without text. */
  usage(reply: unknown): TokenCounts;
}

const count = z.number().nonnegative().nullish();

/** The parts of a reply that `form` describes; undefined if the reply has another form. */
const parsed = <T>(form: z.ZodType<T>, reply: unknown): T | undefined => form.safeParse(reply).data;

const OpenAiReply = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});
const OpenAiUsage = z.object({ usage: z.object({ prompt_tokens: count, completion_tokens: count }) });

const openai: Provider = {
  id: "openai",
  baseUrl: "https://api.openai.com/v1",
  path: () => "/chat/completions",
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  body: ({ model, text, temperature, maxTokens, isLengthRenamed }) => ({
    model,
    messages: [{ role: "user", content: text }],
    temperature,
    [isLengthRenamed ? "max_completion_tokens" : "max_tokens"]: maxTokens,
  }),
  // OpenAI's newer models reject max_tokens; other servers of this format know nothing else.
  renamesLength: (message) => message.includes("max_completion_tokens"),
  text: (reply) => OpenAiReply.parse(reply).choices[0]!.message.content,
  usage(reply) {
    const usage = parsed(OpenAiUsage, reply)?.usage;
    return { input: usage?.prompt_tokens, output: usage?.completion_tokens };
  },
};

const AnthropicReply = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })).min(1),
});
const AnthropicUsage = z.object({ usage: z.object({ input_tokens: count, output_tokens: count }) });

const anthropic: Provider = {
  id: "anthropic",
  baseUrl: "https://api.anthropic.com",
  path: () => "/v1/messages",
  headers: (key) => ({
    "x-api-key": key,
    "anthropic-version": "2023-06-01",
    // Without it the endpoint refuses requests from a page; the key never leaves the machine but to there.
    "anthropic-dangerous-direct-browser-access": "true",
  }),
  body: ({ model, text, temperature, maxTokens }) => ({
    model,
    max_tokens: maxTokens,
    temperature,
    messages: [{ role: "user", content: text }],
  }),
  text: (reply) =>
    AnthropicReply.parse(reply)
      .content.map((part) => part.text ?? "")
      .join(""),
  usage(reply) {
    const usage = parsed(AnthropicUsage, reply)?.usage;
    return { input: usage?.input_tokens, output: usage?.output_tokens };
  },
};

const GeminiReply = z.object({
  candidates: z
    .array(z.object({ content: z.object({ parts: z.array(z.object({ text: z.string().optional() })) }) }))
    .min(1),
});
const GeminiUsage = z.object({
  usageMetadata: z.object({ promptTokenCount: count, candidatesTokenCount: count }),
});

const gemini: Provider = {
  id: "gemini",
  baseUrl: "https://generativelanguage.googleapis.com",
  path: (model) => `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
  headers: (key) => ({ "x-goog-api-key": key }),
  body: ({ text, temperature, maxTokens }) => ({
    contents: [{ role: "user", parts: [{ text }] }],
    generationConfig: { temperature, maxOutputTokens: maxTokens },
  }),
  text: (reply) =>
    GeminiReply.parse(reply)
      .candidates[0]!.content.parts.map((part) => part.text ?? "")
      .join(""),
  usage(reply) {
    const usage = parsed(GeminiUsage, reply)?.usageMetadata;
    return { input: usage?.promptTokenCount, output: usage?.candidatesTokenCount };
  },
};

/** All providers by id. */
export const providers = registry<Provider>("provider", openai, anthropic, gemini);
