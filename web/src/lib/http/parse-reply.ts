import { type Call, ROLES, type Role, roleOf } from "@tapthru/proto/call";
import { CALLS } from "@tapthru/proto/calls";
import * as identity from "@tapthru/proto/identity";
import * as z from "zod/mini";
import type { Reply } from "./http-client.ts";

/** The modules also export values that are no calls. */
const ALL_CALLS: Partial<Call>[] = [CALLS, identity].flatMap(Object.values);

const findCall = (name: string) => ALL_CALLS.find(({ method, path }) => `${method} ${path}` === name);

/** Returns true if the call acts in the account that the user chose. */
export const isOfAccount = (method: string, path: string) => neededRole(`${method} ${path}`) !== null;

/** The role that a call needs, if one with this role lacks it. */
export function missingRole(role: Role, name: string): Role | null {
  const needed = neededRole(name);
  return needed !== null && ROLES.indexOf(role) < ROLES.indexOf(needed) ? needed : null;
}

/** Returns true if a change makes the reply to a query stale, by the path of its request. Activity lists all changes. */
export function isStaleAfter(name: string, queryPath: string): boolean {
  const { tag, stale = [] } = findCall(name) ?? {};
  const query = ALL_CALLS.find(({ path }) => path === queryPath);
  if (query === undefined || stale === "all") return query !== undefined;
  return query.tag === tag || query.tag === "Activity" || stale.some((each) => each === query.tag);
}

/** Returns true if a call with this input has an effect that cannot be undone. */
export function isFinal(name: string, input: object): boolean {
  const { isFinal: values = false } = findCall(name) ?? {};
  const body = Object("body" in input ? input.body : {});
  return values === true || Object.entries(values).some(([field, value]) => body[field] === value);
}

/** Returns true if the reply to a change is what a GET of its path replies. */
export function repliesAsGet(name: string): boolean {
  const { path, method, replies } = findCall(name) ?? {};
  return method !== "GET" && replies?.[200] !== undefined && findCall(`GET ${path}`)?.replies?.[200] === replies[200];
}

function neededRole(name: string): Role | null {
  const call = findCall(name);
  return call === undefined ? null : roleOf(call as Call);
}

/** Parses a response body with the schema that the call defines for its status. Throws a zod error if there is none. */
export function parseReply(method: string, path: string, { status, body }: Pick<Reply, "status" | "body">): unknown {
  const call = findCall(`${method} ${path}`);
  return z.parse(call?.replies?.[status] ?? z.never(), body);
}
