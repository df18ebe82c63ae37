// The dedicated worker that checks the GPU. It has a device of its own, so that nothing of it reaches a run.
import { checkAdapter } from "../conformance/check-adapter.ts";
import { type CheckReport, RESULT_HEADS, reportText, resultRows, verdictOf } from "../conformance/report.ts";
import { serializeError } from "../core/errors.ts";
import type { FromCheckWorker, ShownReport } from "./check-protocol.ts";
import type { Port } from "./serve.ts";

const scope = globalThis as unknown as Port;
const post = (message: FromCheckWorker) => scope.postMessage(message, []);

checkAdapter(navigator.gpu, navigator.userAgent, {
  onProgress: (done, of, label) => post({ kind: "progress", done, of, label }),
}).then(
  (report) => post({ kind: "report", report: shown(report) }),
  (error) => post({ kind: "failed", error: serializeError(error) }),
);

function shown(report: CheckReport): ShownReport {
  const cells = resultRows(report);
  const rows = report.results.map(({ label, ok }, i) => ({ label, ok, cells: cells[i] ?? [] }));
  return { verdict: verdictOf(report), heads: RESULT_HEADS, rows, text: reportText(report) };
}
