import * as z from "zod/mini";
import type { Count, Mishap } from "./count.ts";

const suiteSchema = z.object({
  title: z.string(),
  specs: z.array(
    z.object({
      title: z.string(),
      tests: z.array(
        z.object({
          projectName: z.string(),
          status: z.string(),
          results: z.array(
            z.object({ error: z.optional(z.object({ message: z.optional(z.string()) })) }),
          ),
        }),
      ),
    }),
  ),
  get suites() {
    return z.optional(z.array(suiteSchema));
  },
});

/** The JSON report of Playwright. */
export const playwrightReport = z.pipe(
  z.object({
    stats: z.object({ expected: z.number(), flaky: z.number(), unexpected: z.number() }),
    suites: z.array(suiteSchema),
  }),
  z.transform(
    ({ stats, suites }): Count => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      mishaps: suites.flatMap((suite) => mishapsOf(suite)),
    }),
  ),
);

function mishapsOf(suite: z.infer<typeof suiteSchema>): Mishap[] {
  const own = suite.specs.flatMap((spec) =>
    spec.tests.flatMap(({ projectName, status, results }) => {
      if (status !== "flaky" && status !== "unexpected") return [];
      const [message = ""] = results.flatMap(({ error }) => error?.message ?? []);
      const title = `[${projectName}] ${suite.title} › ${spec.title}`;
      return [{ title, message, isFlaky: status === "flaky" }];
    }),
  );
  return [...own, ...(suite.suites ?? []).flatMap(mishapsOf)];
}
