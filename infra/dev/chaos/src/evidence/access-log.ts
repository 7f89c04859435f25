import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod/mini";

/** nginx keeps lines in memory for a second. */
const WRITTEN_AFTER_MS = 3_000;

const AccessRecord = z.object({
  requestId: z.string(),
  method: z.string(),
  upstreamStatus: z.string(),
  upstreamConnectSeconds: z.string(),
});

export interface RetriedRequests {
  /** Number of requests with the given method that nginx sent to a second replica. */
  all: number;
  /** Ids of the requests whose connection the first replica accepted, so that it may have received them. */
  repeated: string[];
}

/** Reads the requests that went to more than one replica from the gateway's access log. */
export async function readRetriedRequests(
  logsDir: string,
  method: string,
): Promise<RetriedRequests> {
  await delay(WRITTEN_AFTER_MS);
  return retriedRequests(await readFile(join(logsDir, "access.log"), "utf8"), method);
}

export function retriedRequests(log: string, method: string): RetriedRequests {
  const records = log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => z.parse(AccessRecord, JSON.parse(line)))
    .filter((record) => record.method === method && record.upstreamStatus.includes(","));
  const repeated = records.filter(
    ({ upstreamConnectSeconds }) => !upstreamConnectSeconds.startsWith("-,"),
  );
  return { all: records.length, repeated: repeated.map(({ requestId }) => requestId) };
}
