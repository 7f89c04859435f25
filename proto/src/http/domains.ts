import * as z from "zod/mini";
import { DOMAIN_PROBLEMS, DOMAIN_STATES } from "../rules/domains.ts";
import { DOMAIN_MAX_LENGTH } from "../rules/limits.ts";
import { messages } from "../rules/messages.ts";
import type { Call } from "./call.ts";

const timestamp = z.nullable(z.iso.datetime());

/** A record to set, with its full name. */
export const DnsRecord = z.object({
  type: z.enum(["CNAME", "A", "AAAA", "TXT"]),
  name: z.string(),
  value: z.string(),
});
export type DnsRecord = z.infer<typeof DnsRecord>;

/** An own domain of the user. */
export const Domain = z.object({
  id: z.int(),
  /** ASCII. */
  host: z.string(),
  state: z.enum(DOMAIN_STATES),
  /** Null: nothing is wrong, or nothing was checked yet. */
  problem: z.nullable(z.enum(DOMAIN_PROBLEMS)),
  /** What the DNS should have. */
  records: z.array(DnsRecord),
  /** What it had at the last check. */
  seen: z.array(DnsRecord),
  checkedAt: timestamp,
  /** When the domain is turned off unless a check succeeds; null: it does not fail. */
  offAt: timestamp,
  certificateExpiresAt: timestamp,
  isDefault: z.boolean(),
  hsts: z.boolean(),
  /** The destination of `/`; null: a small page. */
  rootUrl: z.nullable(z.string()),
  linkCount: z.int(),
  createdAt: z.iso.datetime(),
});
export type Domain = z.infer<typeof Domain>;

const params = z.object({
  host: z.string().check(z.toLowerCase(), z.maxLength(DOMAIN_MAX_LENGTH, messages.domainNotFound)),
});

/** The user's domains, by name. */
export const listDomains = {
  method: "GET",
  path: "/api/domains",
  access: "links:read",
  replies: { 200: z.array(Domain) },
} as const satisfies Call;

/**
 * Adds a domain: 201; 200 if the user has it. It is used once its DNS record is right. 422: the name is not one of a domain of
 * the public internet, or is one of this site; 409: too many domains; 403: the operator has not turned own domains on.
 */
export const addDomain = {
  method: "POST",
  path: "/api/domains",
  access: "links:write",
  limit: "changeDomains",
  body: z.strictObject({
    host: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, messages.domainRequired),
        z.maxLength(DOMAIN_MAX_LENGTH, messages.domainMalformed),
      ),
  }),
  replies: { 200: Domain, 201: Domain },
} as const satisfies Call;

/** Checks the domain as soon as possible. */
export const checkDomain = {
  method: "POST",
  path: "/api/domains/:host/check",
  access: "links:write",
  limit: "changeDomains",
  params,
  replies: { 202: Domain },
} as const satisfies Call;

/** One change. `rootUrl`: an Amazon link, or null. Only a domain that works can become the default or have a `rootUrl`. */
export const updateDomain = {
  method: "PATCH",
  path: "/api/domains/:host",
  access: "links:write",
  params,
  body: z
    .strictObject({
      isDefault: z.optional(z.boolean()),
      hsts: z.optional(z.boolean()),
      rootUrl: z.optional(z.nullable(z.string())),
    })
    .check(z.refine((change) => Object.keys(change).length === 1)),
  replies: { 200: Domain },
} as const satisfies Call;

/** Removes the domain. Its links go on opening under the site's own host. `movedLinks`: how many they are. */
export const removeDomain = {
  method: "DELETE",
  path: "/api/domains/:host",
  access: "links:write",
  limit: "changeDomains",
  params,
  replies: { 200: z.object({ movedLinks: z.int() }) },
} as const satisfies Call;
