import * as z from "zod/mini";

/** One request, as the gateway's log for metrics has it (access-log.ts). */
const Record = z.object({
  route: z.string(),
  method: z.string(),
  /** 0 where the client closed the connection before there was a response. */
  status: z.number(),
  /** From the first byte that was read of the request to the last byte of the response that was sent. */
  seconds: z.number(),
  /** One for each replica that was asked: "502, 200"; empty where none was. */
  upstreamStatus: z.string(),
  upstreamSeconds: z.string(),
  /** "1" where every replica had all the requests that it may have, so that nginx asked none. */
  busy: z.string(),
  /** Connections of clients that are open, over all processes of this nginx. */
  connections: z.number(),
  maxConnections: z.number(),
});

export interface GatewayRecord {
  route: string;
  method: string;
  status: number;
  seconds: number;
  /** How many replicas were asked; 0 where all were busy. */
  tries: number;
  /** Over all replicas that were asked: connecting, sending, waiting and receiving. */
  upstreamSeconds: number;
  connections: number;
  maxConnections: number;
}

/** @returns null for what is not a syslog message with a record */
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
  const { upstreamStatus, upstreamSeconds, busy, ...record } = parsed.data;
  return {
    ...record,
    tries: upstreamStatus === "" || busy === "1" ? 0 : upstreamStatus.split(/[,:]/).length,
    upstreamSeconds: upstreamSeconds
      .split(/[,:]/)
      .map(Number)
      .filter((seconds) => !Number.isNaN(seconds))
      .reduce((sum, seconds) => sum + seconds, 0),
  };
}
