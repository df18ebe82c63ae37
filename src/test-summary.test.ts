// The summary of `npm test` names what failed, and what passed on a second try only (scripts/lib/counts.mjs).
import { expect, test } from "vitest";
import { countReport } from "../scripts/lib/counts.mjs";

/** A report of Vitest's JSON reporter about one file with these tests. */
const reportOf = (...tests: readonly { title: string; status: string; errors?: readonly string[] }[]) => ({
  numPassedTests: tests.filter(({ status }) => status === "passed").length,
  numFailedTests: tests.filter(({ status }) => status === "failed").length,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [
    {
      name: "e2e/a.test.ts",
      status: tests.some(({ status }) => status === "failed") ? "failed" : "passed",
      assertionResults: tests.map(({ title, status, errors = [] }) => ({
        fullName: `a page ${title}`,
        status,
        failureMessages: errors,
      })),
    },
  ],
});

test("a test that passed on its second try counts as passed, and is named with its first error", () => {
  const errors = ["AssertionError: expected 1 to be 2\n    at a.test.ts:5:40"];
  const report = reportOf({ title: "loads", status: "passed" }, { title: "plays", status: "passed", errors });
  expect(countReport(report, 0)).toEqual({
    passed: 2,
    failed: 0,
    skipped: 0,
    problems: [],
    retried: ["e2e/a.test.ts: a page plays: AssertionError: expected 1 to be 2"],
  });
});

test("a test that failed on both tries is named once, as failed", () => {
  const errors = ["Error: first", "Error: second"];
  const { failed, problems, retried } = countReport(
    reportOf({ title: "plays", status: "failed", errors }),
    1,
  );
  expect({ failed, problems, retried }).toEqual({
    failed: 1,
    problems: ["e2e/a.test.ts: a page plays: Error: first"],
    retried: [],
  });
});
