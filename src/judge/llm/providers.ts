// How the three kinds of endpoints are asked, and where their answers stand.
// OpenAI: https://platform.openai.com/docs/api-reference/chat; Anthropic: https://docs.anthropic.com/en/api/messages;
// Gemini: https://ai.google.dev/api/generate-content.
import { z } from "zod";
import { registry } from "../../core/registry.ts";

/** One message to a model. */
export interface Prompt {
  model: string;
  text: string;
  temperature: number;
  maxTokens: number;
}

/** What came back; token counts are absent when the endpoint does not tell. */
export interface Completion {
  text: string;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
}

export interface Provider {
  readonly id: string;
  /** Where requests go when the configuration names no other place. */
  readonly baseUrl: string;
  path(model: string): string;
  headers(key: string): Readonly<Record<string, string>>;
  body(prompt: Prompt): object;
  /** Throws when the reply has another form. */
  read(reply: unknown): Completion;
}

const count = z.number().nonnegative().optional();

const OpenAiReply = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish(),
});

const openai: Provider = {
  id: "openai",
  baseUrl: "https://api.openai.com/v1",
  path: () => "/chat/completions",
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  body: ({ model, text, temperature, maxTokens }) => ({
    model,
    messages: [{ role: "user", content: text }],
    temperature,
    max_tokens: maxTokens,
  }),
  read(reply) {
    const { choices, usage } = OpenAiReply.parse(reply);
    return {
      text: choices[0]!.message.content,
      inputTokens: usage?.prompt_tokens,
      outputTokens: usage?.completion_tokens,
    };
  },
};

const AnthropicReply = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })).min(1),
  usage: z.object({ input_tokens: count, output_tokens: count }).nullish(),
});

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
  read(reply) {
    const { content, usage } = AnthropicReply.parse(reply);
    return {
      text: content.map((part) => part.text ?? "").join(""),
      inputTokens: usage?.input_tokens,
      outputTokens: usage?.output_tokens,
    };
  },
};

const GeminiReply = z.object({
  candidates: z
    .array(z.object({ content: z.object({ parts: z.array(z.object({ text: z.string().optional() })) }) }))
    .min(1),
  usageMetadata: z.object({ promptTokenCount: count, candidatesTokenCount: count }).nullish(),
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
  read(reply) {
    const { candidates, usageMetadata } = GeminiReply.parse(reply);
    return {
      text: candidates[0]!.content.parts.map((part) => part.text ?? "").join(""),
      inputTokens: usageMetadata?.promptTokenCount,
      outputTokens: usageMetadata?.candidatesTokenCount,
    };
  },
};

/** All providers by id. */
export const providers = registry<Provider>("provider", openai, anthropic, gemini);
