import { CALLS } from "@tapthru/proto/http/calls";
import * as z from "zod/mini";
import type { Reply } from "./http-client.ts";

/** Parses the body of a success by the call's own schema. Throws zod's error for any other reply. */
export function parseReply(method: string, path: string, { status, body }: Reply): unknown {
  const call = CALLS.find((one) => one.method === method && one.path === path);
  return z.parse(call?.replies[status] ?? z.never(), body);
}
