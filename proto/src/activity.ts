import * as z from "zod/mini";
import { resource } from "./call.ts";
import { numberText } from "./fields.ts";
import { notFound } from "./general-errors.ts";
import { addressHash } from "./operator/fields.ts";

/**
 * Who changed something. `user`: in the browser; `key`: with an API key; `mcp`: with an API key over MCP; `visitor`: without an
 * account; `job`: the worker; `command`: at the server's command line.
 */
export type ActorKind = z.infer<typeof Actor>;
const Actor = z.enum(["user", "key", "mcp", "operator", "visitor", "job", "command"]);

/** Columns of a row that people may see, by name. Those that did not change are left out. */
const Columns = z.nullable(z.record(z.string(), z.unknown()));

export const Activity = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  actor: Actor,
  /** The name of a key, job or command. Only operators see that of an operator's key. */
  actorName: z.nullable(z.string()),
  /** The user who acted, unless it is the caller. Only operators see the name of an operator. */
  actorUsername: z.nullable(z.string()),
  action: z.string(),
  /** People know the object by this short code or name. */
  object: z.string(),
  /** Null if the object was created. */
  before: Columns,
  /** Null if the object was deleted. */
  after: Columns,
  requestId: z.nullable(z.string()),
  /** For operators: the user whose object it is; null: no user's, or they were deleted. */
  ownerUsername: z.optional(z.nullable(z.string())),
  /** For operators: equal for requests from the same network address; null after 30 days. */
  addressHash: z.optional(z.nullable(z.string())),
});
export type Activity = z.infer<typeof Activity>;

const q = z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(300)));
const before = z.optional(numberText(/^\d{1,15}$/));
const Page = z.object({
  activity: z.array(Activity),
  /** `before` of the next page; null if there is none. */
  nextBefore: z.nullable(z.int()),
});

const activity = resource("Activity", {
  reads: "session",
  writes: "session",
  roles: { reads: "viewer", writes: "viewer" },
});
const operator = resource("Operator", { reads: "operator", writes: "operator" });

export const listActivity = activity.get("/api/activity", {
  summary: "List changes",
  description:
    "The changes in the user's account, and who made them, newest first; with `q`, those of objects with this short code or name. Members see nothing of how the account's user logs in.",
  query: z.object({ q, before }),
  replies: { 200: Page },
});

export const listAllActivity = operator.get("/api/operator/activity", {
  summary: "List changes in the installation",
  description: "`q` may also be a username or email address, for changes by this user and of their objects.",
  query: z.object({
    q,
    action: z.optional(z.string().check(z.maxLength(100))),
    addressHash: z.optional(addressHash),
    before,
  }),
  replies: { 200: Page },
  errors: [notFound],
  example: { query: { action: "link.changed" } },
});
