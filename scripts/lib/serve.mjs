// Serves the studio on localhost (WebGPU needs a secure context; localhost is one) and opens a browser window.

import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { ensureDependencies } from "./install.mjs";
import { root, ScriptError } from "./process.mjs";

const usage = `npm start -- [options]
  --port N    serve on this port and no other (default: 5173 or the next free one)
  --no-open   do not open a browser window
  --help      this text`;

/** Serves until Ctrl+C. */
export async function start(args) {
  const options = parse(args);
  if (options.help) return console.log(usage);
  await ensureDependencies();
  const url = await serve(options.port);
  console.log(`\nVAGEN Studio is running at ${url}\nOpen it in Chrome or Edge. Press Ctrl+C to stop.\n`);
  if (!options["no-open"]) openBrowser(url);
}

function parse(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: "string" },
        "no-open": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    return { ...values, port: parsePort(values.port) };
  } catch (error) {
    throw new ScriptError(`${error.message}\n\n${usage}`);
  }
}

function parsePort(text) {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new ScriptError(`--port ${text} is not a port number (1 to 65535).`);
}

async function serve(port) {
  const { createServer } = await import("vite");
  const server = await createServer({
    root,
    server: { host: "localhost", port: port ?? 5173, strictPort: port !== undefined, open: false },
  });
  try {
    await server.listen();
  } catch (error) {
    await server.close();
    throw new ScriptError(
      `The server could not start: ${error.message}. Try another port: npm start -- --port 5180`,
    );
  }
  return server.resolvedUrls.local[0];
}

/** Best effort: without a desktop, users read the address in the terminal. */
function openBrowser(url) {
  const opener = openerFor(process.platform, url);
  if (!opener) return;
  const child = spawn(opener[0], opener.slice(1), { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

function openerFor(platform, url) {
  if (platform === "darwin") return ["open", url];
  if (platform === "win32") return ["cmd", "/c", "start", '""', url];
  // Without a display xdg-open may start a text browser in this terminal.
  const hasDisplay = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  return hasDisplay ? ["xdg-open", url] : null;
}
