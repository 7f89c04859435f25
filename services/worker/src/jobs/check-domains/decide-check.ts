import { BlockList } from "node:net";
import type { DnsRecord } from "@tapthru/proto/domains";
import type { DomainProblem } from "@tapthru/proto/rules/domains";
import { DOMAIN_GRACE_MS } from "@tapthru/proto/rules/limits";
import { getDomain } from "tldts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Just less than the interval of the job, so that no run of it is skipped. */
const FIRST_DELAY_MS = 14 * SECOND_MS;
/** A user waits for the first check that succeeds. */
const WAITING_MS = 10 * MINUTE_MS;
const FAILING_DELAY_MS = 10 * MINUTE_MS;
const MAX_DELAY_MS = HOUR_MS;
const GIVEN_UP_AFTER_MS = 30 * DAY_MS;
/** Shorter problems, such as those of our own name servers, are not reported to the user. */
const REPORTED_AFTER_MS = 30 * MINUTE_MS;

/** The records in the DNS; null if it did not respond. */
export type FoundRecords = readonly DnsRecord[] | null;

export interface DnsFacts {
  records: FoundRecords;
  site: { host: string; addresses: ReadonlySet<string> };
}

/** @returns what is wrong with the records; null: they lead here */
export function dnsProblem({ records, site }: DnsFacts): DomainProblem | null {
  if (records === null) return "dns-unavailable";
  if (records.length === 0) return "no-record";
  const addresses = records.filter(({ type }) => type === "A" || type === "AAAA");
  // The certificate authority may use each of the addresses.
  const leadsHere = addresses.length > 0 && addresses.every(({ value }) => site.addresses.has(value));
  if (isAlias(records, site.host) || leadsHere) return null;
  return isProxied(records) ? "proxied" : "wrong-record";
}

/** Cloudflare's networks: cloudflare.com/ips, 2026-11. */
const PROXIES = new BlockList();
for (const range of `173.245.48.0/20 103.21.244.0/22 103.22.200.0/22 103.31.4.0/22 141.101.64.0/18 108.162.192.0/18
  190.93.240.0/20 188.114.96.0/20 197.234.240.0/22 198.41.128.0/17 162.158.0.0/15 104.16.0.0/13 104.24.0.0/14 172.64.0.0/13
  131.0.72.0/22 2400:cb00::/32 2606:4700::/32 2803:f800::/32 2405:b500::/32 2405:8100::/32 2a06:98c0::/29
  2c0f:f248::/32`.split(/\s+/)) {
  const [network = "", bits] = range.split("/");
  PROXIES.addSubnet(network, Number(bits), network.includes(":") ? "ipv6" : "ipv4");
}

/** Says whether the owner's record is behind a proxy, which hides where it leads. An alias of another host is seen in front of one. */
function isProxied(records: readonly DnsRecord[]): boolean {
  return records.every(({ type, value }) => {
    if (type === "CNAME") return value.endsWith(".cdn.cloudflare.net");
    return (type === "A" || type === "AAAA") && PROXIES.check(value, type === "A" ? "ipv4" : "ipv6");
  });
}

function isAlias(records: FoundRecords, siteHost: string): boolean {
  return records?.some(({ type, value }) => type === "CNAME" && value === siteHost) ?? false;
}

/**
 * Returns true if a domain that does not work yet needs the TXT record: another user may have a claim to it, or its record does not name
 * this site. An address may be that of another name of the server, or of a server that had it before; only an apex has no alias.
 */
export function needsProof(
  { host, isContested }: { host: string; isContested: boolean },
  { records, site }: DnsFacts,
): boolean {
  const isApex = registeredDomain(host) === host;
  return isContested || !(isApex || isAlias(records, site.host));
}

/** The domain of a host below a public suffix, also below one of a provider such as duckdns.org. */
export function registeredDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

/** Unix milliseconds. */
export interface DomainTimes {
  createdAt: number;
  verifiedAt: number | null;
  offAt: number | null;
  failingSince: number | null;
  reportedAt: number | null;
}

export type Decision =
  | { action: "verify" }
  | { action: "delete" }
  | { action: "keep" | "turn-off"; delayMs: number; failingSince: number | null; report: boolean };

export function decide(
  { createdAt, verifiedAt, offAt, failingSince, reportedAt }: DomainTimes,
  problem: DomainProblem | null,
  now: number,
): Decision {
  const isWorking = verifiedAt !== null && offAt === null;
  if (problem === null) {
    return isWorking
      ? { action: "keep", delayMs: MAX_DELAY_MS, failingSince: null, report: false }
      : { action: "verify" };
  }
  if (!isWorking) {
    const ageMs = now - (offAt ?? createdAt);
    if (offAt === null && ageMs >= GIVEN_UP_AFTER_MS) return { action: "delete" };
    return { action: "keep", delayMs: waitingDelay(ageMs), failingSince: null, report: false };
  }
  const since = failingSince ?? now;
  const failure = { delayMs: FAILING_DELAY_MS, failingSince: since };
  if (now - since >= DOMAIN_GRACE_MS) return { ...failure, action: "turn-off", report: false };
  const report = reportedAt === null && now - since >= REPORTED_AFTER_MS;
  return { ...failure, action: "keep", report };
}

/** Rises from 14 seconds, for the first ten minutes, to an hour. */
function waitingDelay(ageMs: number): number {
  if (ageMs < WAITING_MS) return FIRST_DELAY_MS;
  return Math.min(MAX_DELAY_MS, Math.max(FIRST_DELAY_MS, ageMs / 20));
}
