import type { Call } from "@tapthru/proto/call";
import { CALLS } from "@tapthru/proto/calls";
import * as identity from "@tapthru/proto/identity";
import * as z from "zod/mini";
import type { Reply } from "./http-client.ts";

/** The modules also export values that are no calls. */
const ALL_CALLS: Partial<Call>[] = [CALLS, identity].flatMap(Object.values);

/** Parses a response body with the schema that the call defines for its status. Throws a zod error if there is none. */
export function parseReply(method: string, path: string, { status, body }: Pick<Reply, "status" | "body">): unknown {
  const call = ALL_CALLS.find((each) => each.method === method && each.path === path);
  return z.parse(call?.replies?.[status] ?? z.never(), body);
}
