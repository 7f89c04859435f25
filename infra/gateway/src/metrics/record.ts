import * as z from "zod/mini";

/** One request in the gateway's log for metrics (nginx.conf). */
const Record = z.object({
  route: z.string(),
  method: z.string(),
  /** 0 if the client closed the connection before there was a response. */
  status: z.number(),
  /** From the first byte read of the request to the last byte sent of the response. */
  seconds: z.number(),
  /** One status per replica tried: "502, 200"; empty if none was. */
  upstreamStatus: z.string(),
  /** "1" if every replica was at its limit of requests or failed within the last 2 s, so that nginx tried no further one. */
  noReplica: z.string(),
  /** Open client connections of all workers of this nginx. */
  connections: z.number(),
  /** Those of them that nginx closes if it needs others. */
  idleConnections: z.number(),
  maxConnections: z.number(),
});

export type GatewayRecord = Omit<z.output<typeof Record>, "upstreamStatus" | "noReplica"> & {
  /** How many replicas were tried; 0 if none was available. */
  tries: number;
};

/** @returns null if the message is not a syslog message with a valid record */
export function parseRecord(message: string): GatewayRecord | null {
  const json = message.slice(Math.max(0, message.indexOf("{")));
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return null;
  }
  const parsed = z.safeParse(Record, data);
  if (!parsed.success) return null;
  const { upstreamStatus, noReplica, ...record } = parsed.data;
  return { ...record, tries: upstreamStatus === "" || noReplica === "1" ? 0 : upstreamStatus.split(/[,:]/).length };
}
