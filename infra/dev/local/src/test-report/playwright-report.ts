import * as z from "zod/mini";
import { causeOf } from "./error-text.ts";
import type { TestNote } from "./results.ts";
import type { RunnerReport } from "./runner-report.ts";

const errorSchema = z.object({ message: z.optional(z.string()) });

const testSchema = z.object({
  projectName: z.string(),
  status: z.enum(["expected", "unexpected", "flaky", "skipped"]),
  expectedStatus: z.string(),
  annotations: z.array(z.object({ type: z.string(), description: z.optional(z.string()) })),
  results: z.array(z.object({ error: z.optional(errorSchema) })),
});

const suiteSchema = z.object({
  title: z.string(),
  specs: z.array(z.object({ title: z.string(), tests: z.array(testSchema) })),
  get suites() {
    return z.optional(z.array(suiteSchema));
  },
});

interface ReportedTest extends TestNote {
  status: z.infer<typeof testSchema>["status"];
}

/** Playwright's JSON report, also of a run with `--list`. */
export const playwrightReport = z.pipe(
  z.object({ suites: z.array(suiteSchema), errors: z.array(errorSchema) }),
  z.transform(({ suites, errors }): RunnerReport & { listed: number } => {
    const tests = suites.flatMap((suite) => testsOf(suite, []));
    const notesWithStatus = (status: string) =>
      tests
        .filter((test) => test.status === status)
        .map(({ title, message }) => ({ title, message }));
    return {
      listed: tests.length,
      passed: notesWithStatus("expected").length + notesWithStatus("flaky").length,
      failed: mergeLaunchFailures(notesWithStatus("unexpected")),
      flaky: notesWithStatus("flaky"),
      skipped: notesWithStatus("skipped"),
      errors: errors.map(({ message = "" }) => message),
    };
  }),
);

function testsOf(suite: z.infer<typeof suiteSchema>, parents: string[]): ReportedTest[] {
  const path = [...parents, suite.title];
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests.map((test) => ({
      status: test.status,
      title: `[${test.projectName}] ${[...path, title].join(" › ")}`,
      message: test.status === "skipped" ? skipReason(test) : firstErrorOf(test),
    })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((child) => testsOf(child, path))];
}

function firstErrorOf({ results }: z.infer<typeof testSchema>): string {
  return results.flatMap(({ error }) => error?.message ?? [])[0] ?? "";
}

/** Playwright also marks tests as skipped that did not run because others failed. */
function skipReason({ annotations, expectedStatus }: z.infer<typeof testSchema>): string {
  if (expectedStatus !== "skipped") return "did not run, because other tests failed";
  const reason = annotations.find(({ type }) => type === "skip" || type === "fixme");
  return reason?.description ?? "no reason given";
}

/** Replaces the failures of all tests whose browser did not start by one. */
function mergeLaunchFailures(failed: readonly TestNote[]): TestNote[] {
  const [first, ...others] = failed.filter(isLaunchFailure);
  if (first === undefined) return [...failed];
  const notRun = `Number of tests that did not run: ${others.length + 1}.`;
  const note = { title: "browser", message: `${causeOf(first.message)}\n${notRun}` };
  return [note, ...failed.filter((failure) => !isLaunchFailure(failure))];
}

function isLaunchFailure({ message }: TestNote): boolean {
  return /^(Error: )?browserType\.launch:/.test(message);
}
