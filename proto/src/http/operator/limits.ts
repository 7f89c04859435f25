import * as z from "zod/mini";
import type { Call } from "../call.ts";

/** How often a limit may be raised to. */
export const LIMIT_FACTORS = [2, 5, 10] as const;

export const OperatorLimit = z.object({
  /** Of RATE_LIMITS_PER_MINUTE, or `anonymousCreates`. */
  name: z.string(),
  /** Requests per minute from one network address; null for `anonymousCreates`. */
  address: z.nullable(z.int()),
  /** Requests per minute of one user, key or visitor. */
  visitor: z.nullable(z.int()),
  /** Of all together; null except for `anonymousCreates`. */
  all: z.nullable(z.int()),
  /** How many of `all` were used in this minute. */
  used: z.nullable(z.int()),
  /** What the figures above are multiplied by until `raisedUntil`; 1: not raised. */
  factor: z.int(),
  raisedUntil: z.nullable(z.iso.datetime()),
});
export type OperatorLimit = z.infer<typeof OperatorLimit>;

/** `isOn`: false if the installation has no limits. */
export const listLimits = {
  method: "GET",
  path: "/api/operator/limits",
  replies: { 200: z.object({ isOn: z.boolean(), limits: z.array(OperatorLimit) }) },
} as const satisfies Call;

/** Raises a limit for an hour; 1 ends that. All apis follow within LIMITS_POLL_INTERVAL_MS. */
export const raiseLimit = {
  method: "PUT",
  path: "/api/operator/limits/:name",
  params: z.object({ name: z.string().check(z.regex(/^[A-Za-z]{1,40}$/)) }),
  body: z.strictObject({
    factor: z.union([z.literal(1), ...LIMIT_FACTORS.map((n) => z.literal(n))]),
  }),
  replies: { 200: OperatorLimit },
} as const satisfies Call;
