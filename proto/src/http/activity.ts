import * as z from "zod/mini";
import type { Call } from "./call.ts";
import { numberText, shortCode } from "./fields.ts";

/**
 * Who changed something. `user`: in the browser; `key`: with an API key; `mcp`: with an API key over MCP; `visitor`: without an
 * account; `job`: the worker; `command`: at the server's command line.
 */
export const ACTORS = ["user", "key", "mcp", "operator", "visitor", "job", "command"] as const;
export type ActorKind = (typeof ACTORS)[number];

/** Columns of a row that people may see, by name. Those that did not change are left out. */
const Columns = z.nullable(z.record(z.string(), z.unknown()));

/** A row of the audit log. */
export const Activity = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  actor: z.enum(ACTORS),
  /** Of a key, job or command. For the owner of the object an operator has no name. */
  actorName: z.nullable(z.string()),
  /** Kind of object and what happened, such as `link.changed`. */
  action: z.string(),
  /** What people know the object by, such as a short code or a name. */
  object: z.string(),
  /** Null: the object was created. */
  before: Columns,
  /** Null: the object was deleted. */
  after: Columns,
  requestId: z.nullable(z.string()),
});
export type Activity = z.infer<typeof Activity>;

export const ACTIVITY_PAGE_SIZE = 50;

/** Activity before this id. */
export const activityBefore = numberText(/^\d{1,15}$/);

/**
 * What was changed in the user's account, the newest first; with `link`, what was changed of this link. A key needs `link`. As text/csv without pages, at
 * most ACTIVITY_EXPORT_MAX_COUNT rows.
 */
export const listActivity = {
  method: "GET",
  path: "/api/activity",
  access: "links:read",
  query: z.object({
    link: z.optional(shortCode),
    before: z.optional(activityBefore),
  }),
  replies: {
    200: z.object({
      activity: z.array(Activity),
      /** `before` of the next page; null: there is none. */
      nextBefore: z.nullable(z.int()),
    }),
  },
} as const satisfies Call;
