import * as z from "zod/mini";
import { DOMAIN_PROBLEMS, DOMAIN_STATES } from "../../rules/domains.ts";
import { DOMAIN_MAX_LENGTH } from "../../rules/limits.ts";
import { messages } from "../../rules/messages.ts";
import type { Call } from "../call.ts";
import { search, UserName, userId } from "./fields.ts";

export const OperatorDomain = z.object({
  id: z.int(),
  host: z.string(),
  owner: UserName,
  state: z.enum(DOMAIN_STATES),
  problem: z.nullable(z.enum(DOMAIN_PROBLEMS)),
  linkCount: z.int(),
  checkedAt: z.nullable(z.iso.datetime()),
  nextCheckAt: z.nullable(z.iso.datetime()),
  certificateExpiresAt: z.nullable(z.iso.datetime()),
});
export type OperatorDomain = z.infer<typeof OperatorDomain>;

/** Own domains of all users: those with a problem first, then by name. At most OPERATOR_DOMAINS_MAX_COUNT. */
export const listAllDomains = {
  method: "GET",
  path: "/api/operator/domains",
  access: "operator",
  query: z.object({ q: z.optional(search) }),
  replies: { 200: z.object({ hasDomains: z.boolean(), domains: z.array(OperatorDomain) }) },
} as const satisfies Call;

/** Checks the domain, and orders its certificate if that is due, as soon as possible. */
export const retryDomain = {
  method: "POST",
  path: "/api/operator/domains/:userId/:host/retry",
  access: "operator",
  params: z.object({
    userId,
    host: z
      .string()
      .check(z.toLowerCase(), z.maxLength(DOMAIN_MAX_LENGTH, messages.domainNotFound)),
  }),
  replies: { 202: OperatorDomain },
} as const satisfies Call;
