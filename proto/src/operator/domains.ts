import * as z from "zod/mini";
import { resource } from "../call.ts";
import { domainHost, domainNotFound } from "../domains.ts";
import { notFound } from "../general-errors.ts";
import { DOMAIN_PROBLEMS, DOMAIN_STATES } from "../rules/domains.ts";
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

const operator = resource("Operator", { reads: "operator", writes: "operator" });

export const listAllDomains = operator.get("/api/operator/domains", {
  summary: "List the domains of all users",
  description: "Those with a problem first.",
  query: z.object({ q: z.optional(search) }),
  replies: { 200: z.object({ hasDomains: z.boolean(), domains: z.array(OperatorDomain) }) },
  errors: [notFound],
});

export const retryDomain = operator.post("/api/operator/domains/:userId/:host/retry", {
  summary: "Check a domain now",
  description: "Also orders its certificate, if that is due.",
  params: z.object({ userId, host: domainHost }),
  replies: { 202: OperatorDomain },
  errors: [domainNotFound],
});
