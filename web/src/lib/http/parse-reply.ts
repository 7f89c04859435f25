import { type Call, ROLES, type Role, roleOf } from "@tapthru/proto/call";
import { CALLS } from "@tapthru/proto/calls";
import * as identity from "@tapthru/proto/identity";
import * as z from "zod/mini";
import type { Reply } from "./http-client.ts";

/** The modules also export values that are no calls. */
const ALL_CALLS: Partial<Call>[] = [CALLS, identity].flatMap(Object.values);

const findCall = (method: string, path: string) =>
  ALL_CALLS.find((each) => each.method === method && each.path === path);

/** Whether the call acts in the account that the user chose. */
export const isOfAccount = (method: string, path: string) => neededRole(method, path) !== null;

/** The role that a call needs, if one with this role lacks it. */
export function missingRole(role: Role, name: string): Role | null {
  const [method = "", path = ""] = name.split(" ");
  const needed = neededRole(method, path);
  return needed !== null && ROLES.indexOf(role) < ROLES.indexOf(needed) ? needed : null;
}

function neededRole(method: string, path: string): Role | null {
  const call = findCall(method, path);
  return call === undefined ? null : roleOf(call as Call);
}

/** Parses a response body with the schema that the call defines for its status. Throws a zod error if there is none. */
export function parseReply(method: string, path: string, { status, body }: Pick<Reply, "status" | "body">): unknown {
  const call = findCall(method, path);
  return z.parse(call?.replies?.[status] ?? z.never(), body);
}
