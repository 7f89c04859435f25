import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";

const AccessRecord = z.object({
  requestId: z.string(),
  method: z.string(),
  upstreamStatus: z.string(),
  upstreamConnectSeconds: z.string(),
});

export interface PassedOn {
  /** Requests of that method for which a second replica was asked. */
  all: number;
  /** The ids of those of them that the first replica may have had: it took the connection. */
  repeated: string[];
}

/** What the gateway's log says of requests that went to more than one replica. */
export async function readPassedOn(logsDir: string, method: string): Promise<PassedOn> {
  return passedOn(await readFile(join(logsDir, "access.log"), "utf8"), method);
}

export function passedOn(log: string, method: string): PassedOn {
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
