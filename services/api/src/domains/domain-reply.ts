import { isoOrNull } from "@tapthru/core/platform/postgres/values";
import type { DnsRecord, Domain } from "@tapthru/proto/domains";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { DOMAIN_PROOF_LABEL, type DomainState } from "@tapthru/proto/rules/domains";
import { DOMAIN_GRACE_MS } from "@tapthru/proto/rules/limits";
import { isApex } from "./host-name.ts";
import type { CountedDomainRow, DomainRow } from "./queries.ts";
import type { SiteAddresses } from "./site-addresses.ts";

interface Site {
  host: string;
  addresses: SiteAddresses;
}

export function domainReply(row: CountedDomainRow, site: Site, now: number): Domain {
  const { id, host, isDefault, hsts, linkCount, rootUrl, failingSince } = row;
  const status = domainStatus(row, now);
  return {
    id,
    host,
    ...status,
    records: recordsOf(row, site),
    seen: row.seen ?? [],
    checkedAt: isoOrNull(row.checkedAt),
    offAt: isoOrNull(status.state !== "failing" || failingSince === null ? null : failingSince + DOMAIN_GRACE_MS),
    isDefault,
    hsts,
    rootUrl: rootUrl !== null && parseStorePage(rootUrl) === null ? null : rootUrl,
    linkCount,
    createdAt: new Date(row.createdAt).toISOString(),
  };
}

export function domainStatus(row: DomainRow, now: number): Pick<Domain, "certificateExpiresAt" | "problem" | "state"> {
  const state = stateOf(row, now);
  // The certificate of a domain that is not verified is that of another user, if any.
  const ownsCertificate = state !== "waiting" && state !== "off";
  return {
    state,
    problem: row.problem ?? (ownsCertificate ? row.certificateProblem : null),
    certificateExpiresAt: isoOrNull(ownsCertificate ? row.certificateExpiresAt : null),
  };
}

function stateOf({ verifiedAt, offAt, failingSince, certificateExpiresAt }: DomainRow, now: number): DomainState {
  if (offAt !== null) return "off";
  if (verifiedAt === null) return "waiting";
  if (failingSince !== null) return "failing";
  if (certificateExpiresAt === null) return "ordering";
  return certificateExpiresAt <= now ? "failing" : "works";
}

function recordsOf({ host, problem, proof }: DomainRow, site: Site): DnsRecord[] {
  const { A, AAAA } = site.addresses;
  const addresses = [
    ...A.map((value) => ({ type: "A" as const, name: host, value })),
    ...AAAA.map((value) => ({ type: "AAAA" as const, name: host, value })),
  ];
  const records: DnsRecord[] =
    isApex(host) && addresses.length > 0 ? addresses : [{ type: "CNAME", name: host, value: site.host }];
  if (problem !== "proof-missing") return records;
  return [...records, { type: "TXT", name: `${DOMAIN_PROOF_LABEL}.${host}`, value: proof }];
}
