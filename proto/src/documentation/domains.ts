import type * as domainsCalls from "../http/domains.ts";
import type { Domain } from "../http/domains.ts";
import { DOMAINS_MAX_COUNT } from "../rules/limits.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_DOMAIN, EXAMPLE_HOST } from "./example-values.ts";

const WAITING: Domain = {
  ...EXAMPLE_DOMAIN,
  state: "waiting",
  problem: "no-record",
  seen: [],
  certificateExpiresAt: null,
  isDefault: false,
  rootUrl: null,
  linkCount: 0,
};
const params = { host: EXAMPLE_HOST };

export const domainsDocumentation: DocumentationOf<typeof domainsCalls> = {
  listDomains: {
    tag: "Domains",
    summary: "List domains",
    description:
      "The user's own domains, by name. `records` is what the DNS should have, `seen` what it had at `checkedAt`. `state` is `waiting` (for the DNS), `ordering` (the certificate), `works`, `failing` (it worked; `offAt` is when it is turned off) or `off`. `problem` says what is wrong.",
    errors: ["domains-off"],
    example: { replies: { 200: [EXAMPLE_DOMAIN] } },
  },
  addDomain: {
    tag: "Domains",
    summary: "Add a domain",
    description: `The reply says in \`records\` what to set at the DNS. The domain is used as soon as that is right, and has a certificate within a minute after. Adding a domain again checks it. If another account has, had or wants it or another name of the same registered domain, or if a subdomain has an address in place of a CNAME, \`problem\` becomes \`proof-missing\`, and \`records\` has a TXT record too. IP addresses, endings such as co.uk, names of this service, and names that look like one of Amazon are refused. At most ${DOMAINS_MAX_COUNT} domains.`,
    errors: ["domain-refused", "domains-off", "too-many-domains"],
    example: { body: { host: EXAMPLE_HOST }, replies: { 200: EXAMPLE_DOMAIN, 201: WAITING } },
  },
  checkDomain: {
    tag: "Domains",
    summary: "Check a domain now",
    description:
      "Checks the DNS of the domain as soon as possible. `checkedAt` changes when that is done.",
    errors: ["domain-not-found", "domains-off"],
    example: { params, replies: { 202: WAITING } },
  },
  updateDomain: {
    tag: "Domains",
    summary: "Change a domain",
    description:
      "One change: `isDefault` (new links of the user are on this domain), `hsts` (responses have `Strict-Transport-Security`, so browsers refuse the domain without https for a year), or `rootUrl` (the Amazon page to which `/` leads; null: a small page). The link for `rootUrl` is in the list of links, as `@` and the host.",
    errors: [
      "domain-not-found",
      "domain-not-usable",
      "domains-off",
      "link-incomplete",
      "link-missing",
      "link-taken-down",
      "link-too-long",
      "not-a-shopping-page",
      "not-an-amazon-link",
      "short-link-failed",
      "short-link-too-slow",
      "slug-taken",
      "unusable-link",
    ],
    example: { params, body: { hsts: true }, replies: { 200: { ...EXAMPLE_DOMAIN, hsts: true } } },
  },
  removeDomain: {
    tag: "Domains",
    summary: "Remove a domain",
    description:
      "Addresses on the domain end. Its links get a short code on the host of this service within a minute; `movedLinks` is their number. If the user adds the domain again, its earlier addresses work again.",
    errors: ["domain-not-found", "domains-off"],
    example: { params, replies: { 200: { movedLinks: 12 } } },
  },
};
