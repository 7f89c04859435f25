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
/** A domain that was never verified is deleted after this time. */
const GIVEN_UP_AFTER_MS = 30 * DAY_MS;
/** Shorter problems, such as those of our own name servers, are not reported to the user. */
const REPORTED_AFTER_MS = 30 * MINUTE_MS;

/** What the DNS has; null: it did not respond. */
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
  return isAlias(records, site.host) || leadsHere ? null : "wrong-record";
}

function isAlias(records: FoundRecords, siteHost: string): boolean {
  return records?.some(({ type, value }) => type === "CNAME" && value === siteHost) ?? false;
}

/**
 * Whether a domain that does not work yet needs the TXT record: another user may have a claim to it, or its record does not name
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
  /** When the present failure was reported to the user. */
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
