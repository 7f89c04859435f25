import * as z from "zod/mini";
import { resource } from "./call.ts";
import { linkTakenDown, slugTaken } from "./general-errors.ts";
import { DOMAIN_PROBLEMS, DOMAIN_STATES } from "./rules/domains.ts";
import { error } from "./rules/error.ts";
import { DOMAIN_MAX_LENGTH, DOMAINS_MAX_COUNT } from "./rules/limits.ts";
import { ADDRESS_ERRORS } from "./rules/link-errors.ts";

export const domainNotFound = error("domain-not-found", 404, "Domain not found.");
export const domainNotUsable = error("domain-not-usable", 422, "This is not one of your working domains.");
export const domainRefused = error("domain-refused", 422, "Please enter a domain such as go.example.com");
export const domainsOff = error("domains-off", 403, "Own domains are not available on this site.");
export const tooManyDomains = error(
  "too-many-domains",
  409,
  `You have ${DOMAINS_MAX_COUNT} domains, the maximum. Please remove one first.`,
);

const timestamp = z.nullable(z.iso.datetime());

export const DnsRecord = z.object({
  type: z.enum(["CNAME", "A", "AAAA", "TXT"]),
  name: z.string(),
  value: z.string(),
});
export type DnsRecord = z.infer<typeof DnsRecord>;

export const Domain = z.object({
  id: z.int(),
  /** ASCII. */
  host: z.string(),
  state: z.enum(DOMAIN_STATES),
  /** Null if nothing is wrong, or nothing was checked yet. */
  problem: z.nullable(z.enum(DOMAIN_PROBLEMS)),
  records: z.array(DnsRecord),
  seen: z.array(DnsRecord),
  checkedAt: timestamp,
  /** When the domain is turned off unless a check succeeds; null: it does not fail. */
  offAt: timestamp,
  certificateExpiresAt: timestamp,
  isDefault: z.boolean(),
  hsts: z.boolean(),
  /** The destination of `/`; null: a small page. */
  rootUrl: z.nullable(z.string()),
  /** Links whose short code is on the domain, up to 10,000. */
  linkCount: z.int(),
  createdAt: z.iso.datetime(),
});
export type Domain = z.infer<typeof Domain>;

/** In the path of a call. Postgres cannot store all characters, and no host has others than these. */
export const domainHost = z
  .string()
  .check(
    z.toLowerCase(),
    z.maxLength(DOMAIN_MAX_LENGTH, domainNotFound.message),
    z.regex(/^[a-z0-9.-]+$/, domainNotFound.message),
  );

const params = z.object({ host: domainHost });
const WAITING = { state: "waiting", problem: "no-record", seen: [], certificateExpiresAt: null, linkCount: 0 } as const;

const domains = resource("Domains", { reads: "links:read", writes: "links:write" });

export const listDomains = domains.get("/api/domains", {
  summary: "List domains",
  description:
    "The user's own domains, by name. `records` is what the DNS should have, `seen` what it had at `checkedAt`. `state` is `waiting` (for the DNS), `ordering` (the certificate), `works`, `failing` (it worked; `offAt` is when it is turned off) or `off`. `problem` says what is wrong. `linkCount` counts up to 10,000 links.",
  replies: { 200: z.array(Domain) },
  errors: [domainsOff],
});

export const addDomain = domains.post("/api/domains", {
  summary: "Add a domain",
  description: `The reply says in \`records\` what to set at the DNS. The domain is used as soon as that is right, and has a certificate within a minute after. Adding a domain again checks it. If another account has, had or wants it or another name of the same registered domain, or if a subdomain has an address in place of a CNAME, \`problem\` becomes \`proof-missing\`, and \`records\` has a TXT record too. IP addresses, endings such as co.uk, names of this service, and names that look like one of Amazon are refused. At most ${DOMAINS_MAX_COUNT} domains.`,
  limit: "changeDomains",
  body: z.strictObject({
    host: z
      .string()
      .check(z.trim(), z.minLength(1, "Please enter a domain"), z.maxLength(DOMAIN_MAX_LENGTH, domainRefused.message)),
  }),
  replies: { 200: Domain, 201: Domain },
  errors: [domainRefused, domainsOff, tooManyDomains],
  records: "domain.created",
  example: { replies: { 201: WAITING } },
});

export const checkDomain = domains.post("/api/domains/:host/check", {
  summary: "Check a domain now",
  description: "Checks the DNS of the domain as soon as possible. `checkedAt` changes when that is done.",
  limit: "changeDomains",
  params,
  replies: { 202: Domain },
  errors: [domainNotFound, domainsOff],
  example: { replies: { 202: WAITING } },
});

export const updateDomain = domains.patch("/api/domains/:host", {
  summary: "Change a domain",
  description:
    "One change: `isDefault` (new links of the user are on this domain), `hsts` (responses have `Strict-Transport-Security`, so browsers refuse the domain without https for a year), or `rootUrl` (the Amazon page to which `/` leads; null: a small page). The link for `rootUrl` is in the list of links, as `@` and the host.",
  params,
  body: z
    .strictObject({
      isDefault: z.optional(z.boolean()),
      hsts: z.optional(z.boolean()),
      rootUrl: z.optional(z.nullable(z.string())),
    })
    .check(z.refine((change) => Object.keys(change).length === 1)),
  stale: ["Links"],
  isFinal: { hsts: true },
  replies: { 200: Domain },
  errors: [...ADDRESS_ERRORS, domainNotFound, domainNotUsable, domainsOff, linkTakenDown, slugTaken],
  records: "domain.changed",
  example: { body: { hsts: true } },
});

export const removeDomain = domains.delete("/api/domains/:host", {
  summary: "Remove a domain",
  description:
    "Addresses on the domain end. Its links get a short code on the host of this service within a minute; `movedLinks` is their number. If the user adds the domain again, its earlier addresses work again.",
  role: "owner",
  limit: "changeDomains",
  params,
  stale: ["Links"],
  isFinal: true,
  replies: { 200: z.object({ movedLinks: z.int() }) },
  errors: [domainNotFound, domainsOff],
  records: "domain.deleted",
});
