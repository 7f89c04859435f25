import * as z from "zod/mini";
import { resource } from "./call.ts";
import { EXAMPLE_CODE } from "./example-values.ts";
import { csvSeparator, numberText, shortCode } from "./fields.ts";
import { linkNotFound } from "./general-errors.ts";
import { keyNotAllowed } from "./keys.ts";
import { ACTIVITY_EXPORT_MAX_COUNT } from "./rules/limits.ts";

/**
 * Who changed something. `user`: in the browser; `key`: with an API key; `mcp`: with an API key over MCP; `visitor`: without an
 * account; `job`: the worker; `command`: at the server's command line.
 */
export const ACTORS = ["user", "key", "mcp", "operator", "visitor", "job", "command"] as const;
export type ActorKind = (typeof ACTORS)[number];

/** Columns of a row that people may see, by name. Those that did not change are left out. */
const Columns = z.nullable(z.record(z.string(), z.unknown()));

export const Activity = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  actor: z.enum(ACTORS),
  /** Of a key, job or command. For the owner of the object an operator has no name. */
  actorName: z.nullable(z.string()),
  /** Another user who acted, a member of the account. Null: the caller, an operator, or no user. */
  actorUsername: z.nullable(z.string()),
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

const activity = resource("Activity", { reads: "links:read", writes: "links:read" });

export const EXAMPLE_ACTIVITY: Activity = {
  id: 9041,
  at: "2026-11-26T15:00:00.000Z",
  actor: "key",
  actorName: "Nightly script",
  actorUsername: null,
  action: "link.changed",
  object: EXAMPLE_CODE,
  before: { nickname: null },
  after: { nickname: "Mug of the camping list" },
  requestId: "0f6c6a0e-6d0e-4a53-8e0c-0b8a3f3d0d5e",
};
export const EXAMPLE_ACTIVITY_CSV = `time,actor,name,action,object,before,after,request,user
2026-11-26T15:00:00.000Z,key,Nightly script,link.changed,${EXAMPLE_CODE},"{""nickname"":null}","{""nickname"":""Mug of the camping list""}",0f6c6a0e-6d0e-4a53-8e0c-0b8a3f3d0d5e,
`;

export const listActivity = activity.get("/api/activity", {
  summary: "List changes",
  description: `What was changed in the user's account, by whom, the newest first; with \`link\`, what was changed of this link. An API key needs \`link\`: the whole list has what no key may read, such as webhooks and logins. Members see nothing of how the account's user logs in. \`before\` and \`after\` have what changed. \`nextBefore\` is \`before\` of the next page. As \`text/csv\` without pages, at most ${ACTIVITY_EXPORT_MAX_COUNT} rows.`,
  query: z.object({
    link: z.optional(shortCode),
    before: z.optional(activityBefore),
    separator: csvSeparator,
  }),
  replies: {
    200: z.object({
      activity: z.array(Activity),
      /** `before` of the next page; null: there is none. */
      nextBefore: z.nullable(z.int()),
    }),
  },
  errors: [keyNotAllowed, linkNotFound],
  otherTypes: { "text/csv": EXAMPLE_ACTIVITY_CSV },
  example: {
    query: { link: EXAMPLE_CODE },
    replies: { 200: { activity: [EXAMPLE_ACTIVITY], nextBefore: null } },
  },
});
