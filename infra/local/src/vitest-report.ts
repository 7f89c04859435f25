import { relative } from "node:path";
import * as z from "zod/mini";
import type { Count } from "./count.ts";
import { CHECKOUT } from "./settings.ts";

/** The JSON report of Vitest. A test that passed in its second try keeps the errors of the first. */
export const vitestReport = z.pipe(
  z.object({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    testResults: z.array(
      z.object({
        message: z.string(),
        name: z.string(),
        assertionResults: z.array(
          z.object({
            fullName: z.string(),
            status: z.string(),
            failureMessages: z.array(z.string()),
          }),
        ),
      }),
    ),
  }),
  z.transform(
    ({ numPassedTests, numFailedTests, testResults }): Count => ({
      passed: numPassedTests,
      failed: numFailedTests + testResults.filter(({ message }) => message !== "").length,
      mishaps: testResults.flatMap(({ name, message, assertionResults }) => {
        const file = relative(CHECKOUT, name);
        const tests = assertionResults.flatMap(({ fullName, status, failureMessages: [first] }) => {
          if (first === undefined) return [];
          const title = `${file} › ${fullName.trim()}`;
          return [{ title, message: ownLines(first), isFlaky: status === "passed" }];
        });
        return message === "" ? tests : [{ title: file, message, isFlaky: false }, ...tests];
      }),
    }),
  ),
);

/** Without the lines of a stack that lie in libraries. */
function ownLines(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => !/^ +at .*(node_modules|node:internal)/.test(line))
    .join("\n");
}
