import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { type CheckResult, observed } from "../check-result.ts";

const CompletedRequest = z.object({ status: z.int(), reason: z.optional(z.string()) });

/** Why these services responded 503, as their logs say. The api does not log requests that it refuses at once. */
export async function describeRefusals(
  logsDir: string,
  services: readonly string[],
): Promise<CheckResult> {
  const logs = await Promise.all(
    services.map((name) => readFile(join(logsDir, `${name}.log`), "utf8")),
  );
  return observed(
    "503 in the whole case that were not refused at once, by reason",
    countReasons(logs.join("")),
  );
}

/** @param log records of completed requests, among others */
export function countReasons(log: string): string {
  const reasons = log.split("\n").flatMap((line) => {
    if (!line.includes('"event":"request_completed"')) return [];
    const { status, reason = "not known" } = z.parse(CompletedRequest, JSON.parse(line));
    return status === 503 ? [reason] : [];
  });
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(
    ([reason, { length }]) => `${reason}: ${length}`,
  );
  return counts.length === 0 ? "none" : counts.join("; ");
}
