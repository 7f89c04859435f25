import { withTestStack } from "@tapthru/local/stack/test-stack";
import { type Prometheus, startPrometheus } from "./prometheus.ts";
import { keepVisiting } from "./traffic.ts";

/** Does `work` while a stack of its own is visited, scraped by a Prometheus with our rules. */
export function onVisitedStack<Result>(
  signal: AbortSignal,
  work: (prometheus: Prometheus) => Promise<Result>,
): Promise<Result> {
  return withTestStack(signal, async ({ baseUrl, settings, stack }) => {
    const prometheus = await startPrometheus(settings, stack);
    const over = new AbortController();
    const visiting = keepVisiting(baseUrl, AbortSignal.any([over.signal, signal]));
    const endedEarly = visiting.then(() => {
      throw new Error("The visits ended early");
    });
    try {
      return await Promise.race([work(prometheus), endedEarly]);
    } finally {
      over.abort();
      await visiting;
    }
  });
}
