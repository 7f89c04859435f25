import * as z from "zod/mini";
import { ACTORS, Activity, activityBefore } from "../activity.ts";
import type { Call } from "../call.ts";
import { addressHash, userId } from "./fields.ts";

const query = z.object({
  actor: z.optional(z.enum(ACTORS)),
  /** Start of the action, such as `link` or `link.deleted`. */
  action: z.optional(z.string().check(z.regex(/^[a-z]{1,40}(?:[-.][a-z]{1,40}){0,4}$/))),
  /** A username, an email address, or what the object is known by. */
  q: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))),
  addressHash: z.optional(addressHash),
  userId: z.optional(userId),
  before: z.optional(activityBefore),
});

export const OperatorActivity = z.extend(Activity, {
  /** The user who acted; null: a visitor, job or command, or they were deleted. */
  actorUsername: z.nullable(z.string()),
  /** The user whose object it is; null: no user's, or they were deleted. */
  ownerUsername: z.nullable(z.string()),
  /** Equal for requests from the same network address. Null after 30 days. */
  addressHash: z.nullable(z.string()),
});
export type OperatorActivity = z.infer<typeof OperatorActivity>;

/** What was changed in this installation, the newest first. As text/csv without pages, at most ACTIVITY_EXPORT_MAX_COUNT rows. */
export const listAllActivity = {
  method: "GET",
  path: "/api/operator/activity",
  access: "operator",
  query,
  replies: {
    200: z.object({ activity: z.array(OperatorActivity), nextBefore: z.nullable(z.int()) }),
  },
} as const satisfies Call;
