import { basename } from "node:path";
import { getCallSites } from "node:util";
import { Histogram } from "prom-client";
import type { Interceptor } from "slonik";

/** Most functions run one text; those with lists of conditions or rows have many. */
const TEXTS_MAX = 2_000;
const FRAMES_MAX = 30;

const callers = new Map<string, string>();

/**
 * The function that runs the statement, such as `findLinks`. Call it synchronously from there: the stack is read once for
 * each text.
 */
export function callerOf(text: string): string {
  return callers.get(text) ?? remember(text, callerInStack());
}

/** Undefined for a text that no function has run lately. */
export const knownCaller = (text: string): string | undefined => callers.get(text);

function remember(text: string, caller: string): string {
  if (callers.size >= TEXTS_MAX) callers.clear();
  callers.set(text, caller);
  // As interceptors see it.
  callers.set(text.replaceAll("$slonik_", "$"), caller);
  return caller;
}

const BETWEEN = /^node:|\/node_modules\/|\/core\/src\/platform\/(?:postgres\/[a-z-]+|unreadable)\.ts$/;

function callerInStack(): string {
  const frame = getCallSites(FRAMES_MAX).find(({ scriptName }) => !BETWEEN.test(scriptName));
  return frame?.functionName || basename(frame?.scriptName ?? "unknown", ".ts");
}

export function createStatementDurations() {
  return new Histogram({
    name: "tapthru_postgres_statement_duration_seconds",
    help: "Duration of each statement, also in transactions, by the function that runs it",
    labelNames: ["statement"],
    buckets: [0.005, 0.05, 0.5],
    registers: [],
  });
}

/** Measures statements. It is the first interceptor: slonik calls `transformQuery` synchronously from a transaction's code. */
export function measureStatements(durations: Histogram<"statement">): Interceptor {
  const observe: NonNullable<Interceptor["beforeTransformQuery"]> = (context) => {
    const statement = callerOf(context.originalQuery.sql);
    const ms = Number(process.hrtime.bigint() - BigInt(context.queryInputTime)) / 1e6;
    durations.observe({ statement }, ms / 1_000);
    return null;
  };
  return {
    name: "measure statements",
    transformQuery({ originalQuery }, query) {
      callerOf(originalQuery.sql);
      return query;
    },
    afterQueryExecution: observe,
    queryExecutionError: observe,
  };
}
