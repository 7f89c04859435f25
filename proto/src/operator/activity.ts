import * as z from "zod/mini";
import { EXAMPLE_USER } from "../accounts.ts";
import { ACTORS, Activity, activityBefore, EXAMPLE_ACTIVITY, EXAMPLE_ACTIVITY_CSV } from "../activity.ts";
import { resource } from "../call.ts";
import { EXAMPLE_ADDRESS_HASH } from "../example-values.ts";
import { csvSeparator } from "../fields.ts";
import { notFound } from "../general-errors.ts";
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
  separator: csvSeparator,
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

const operator = resource("Operator", { reads: "operator", writes: "operator" });

const { username } = EXAMPLE_USER;
const [ACTIVITY_COLUMNS, ACTIVITY_ROW] = EXAMPLE_ACTIVITY_CSV.split("\n");
const ACTIVITY_CSV = `${ACTIVITY_COLUMNS},owner,address
${ACTIVITY_ROW}${username},${username},${EXAMPLE_ADDRESS_HASH}
`;

export const listAllActivity = operator.get("/api/operator/activity", {
  summary: "List changes in the installation",
  description: "`addressHash` is equal for requests from the same network address.",
  query,
  replies: {
    200: z.object({ activity: z.array(OperatorActivity), nextBefore: z.nullable(z.int()) }),
  },
  errors: [notFound],
  otherTypes: { "text/csv": ACTIVITY_CSV },
  example: {
    query: { action: "link" },
    replies: {
      200: {
        activity: [
          {
            ...EXAMPLE_ACTIVITY,
            actorUsername: username,
            ownerUsername: username,
            addressHash: EXAMPLE_ADDRESS_HASH,
          },
        ],
        nextBefore: null,
      },
    },
  },
});
