// Adding up test results. Pure functions.

import { stripVTControlCharacters } from "node:util";

/** Counts of a check that is one test: a compiler, a linter, a build. */
export function oneTest(passed) {
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0, problems: [], retried: [] };
}

/** Counts of one Vitest run from its JSON report (null when there is none) and its exit code. */
export function countReport(report, exitCode) {
  if (!report) return { ...oneTest(false), problems: ["it stopped before it could report"] };
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    problems: linesOf(report, (test) => test.status === "failed"),
    // Errors of a test that passed are those of its first try.
    retried: linesOf(report, (test) => test.status === "passed" && test.failureMessages?.length > 0),
  };
  const fail = (problem) => {
    counts.failed += 1;
    counts.problems.push(problem);
  };
  // A file that cannot be loaded holds no test that could fail, yet everything in it went untested.
  for (const file of report.testResults) {
    const hasFailedTest = file.assertionResults.some((test) => test.status === "failed");
    if (file.status === "failed" && !hasFailedTest) fail(`${file.name} could not run`);
  }
  if (counts.passed + counts.failed === 0) fail("no test ran");
  // For example a crashed worker process or an unhandled rejection.
  if (exitCode !== 0 && counts.failed === 0) fail(`exit code ${exitCode} although no test failed`);
  return counts;
}

/** One line for each test of a kind: its file, its name and how its first error begins. */
function linesOf(report, isOfKind) {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(isOfKind)
      .map((test) => `${name}: ${test.fullName}: ${firstLine(test.failureMessages?.[0] ?? "no message")}`),
  );
}

const firstLine = (text) => stripVTControlCharacters(text).trim().split("\n")[0].slice(0, 300);

/** Several counts as one. */
export function sum(all) {
  const total = (key) => all.reduce((value, counts) => value + counts[key], 0);
  return { passed: total("passed"), failed: total("failed"), skipped: total("skipped") };
}

/** `N passed, N failed`, and `, N skipped` when there are any. */
export function totals({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
}
