import type { Call } from "@tapthru/proto/http/call";
import { CALLS } from "@tapthru/proto/http/calls";
import * as z from "zod/mini";
import type { Reply } from "./http-client.ts";

/** Parses a response body with the schema that the call defines for its status. Throws a zod error if there is none. */
export function parseReply(
  method: string,
  path: string,
  { status, body }: Pick<Reply, "status" | "body">,
): unknown {
  const calls: Call[] = Object.values(CALLS);
  const call = calls.find((each) => each.method === method && each.path === path);
  return z.parse(call?.replies[status] ?? z.never(), body);
}
