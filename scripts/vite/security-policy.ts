// What the built page may load and run, as headers of `npm run preview` and, for static hosts, in the HTML itself.
import type { Plugin } from "vite";

/** docs/security.md gives the reason for each line. */
const POLICY: Readonly<Record<string, string>> = {
  "default-src": "'self'",
  // Extensions are modules from blob: addresses.
  "script-src": "'self' 'wasm-unsafe-eval' blob:",
  "worker-src": "'self' blob:",
  // The judge's endpoint is of the person's choice, so any host is allowed.
  "connect-src": "'self' blob: data: https: http:",
  "img-src": "'self' blob: data:",
  // The libraries for popovers and charts add style elements.
  "style-src": "'self' 'unsafe-inline'",
  "object-src": "'none'",
  "base-uri": "'none'",
  "form-action": "'none'",
};

/** Of the embedded player, which trains nothing, judges nothing and loads no extension. */
const EMBED_POLICY: typeof POLICY = {
  ...POLICY,
  // Replays of some worlds are drawn by WebAssembly.
  "script-src": "'self' 'wasm-unsafe-eval'",
  "worker-src": "'none'",
  "connect-src": "'self'",
};

const asText = (policy: Readonly<Record<string, string>>): string =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");

/** The page that others may embed: it plays bundled replays, and has no other control. */
const EMBEDDED = "/embed.html";

/** For whatever serves the built page. A browser reads `frame-ancestors` in a header only. */
function headersOf(path: string): Readonly<Record<string, string>> {
  const policy =
    path === EMBEDDED
      ? { ...EMBED_POLICY, "frame-ancestors": "*" }
      : { ...POLICY, "frame-ancestors": "'none'" };
  return {
    "Content-Security-Policy": asText(policy),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
  };
}

/** Sends the headers with everything that `npm run preview` serves. */
export const securityHeaders: Plugin = {
  name: "security-headers",
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const [path = "/"] = (request.url ?? "/").split("?");
      for (const [name, value] of Object.entries(headersOf(path))) response.setHeader(name, value);
      next();
    });
  },
};

/** Writes the policy into the built HTML. The development server needs inline scripts, and goes without. */
export const securityPolicy: Plugin = {
  name: "security-policy",
  apply: "build",
  transformIndexHtml: (_html, { path }) => [
    {
      tag: "meta",
      attrs: {
        "http-equiv": "Content-Security-Policy",
        content: asText(path === EMBEDDED ? EMBED_POLICY : POLICY),
      },
      injectTo: "head-prepend",
    },
    { tag: "meta", attrs: { name: "referrer", content: "no-referrer" }, injectTo: "head-prepend" },
  ],
};
