import { Resolver } from "node:dns/promises";
import type { DnsRecord } from "@tapthru/proto/domains";
import { DOMAIN_PROOF_LABEL } from "@tapthru/proto/rules/domains";
import type { FoundRecords } from "./decide-check.ts";

export interface DomainDns {
  records(host: string): Promise<FoundRecords>;
  proofs(host: string): Promise<string[]>;
}

const SHOWN_RECORDS = 10;
const UNKNOWN_NAME = new Set<unknown>(["ENODATA", "ENOTFOUND"]);

/** @param nameServers DNS_SERVERS; null: those of the system */
export function createDomainDns(nameServers: readonly string[] | null): DomainDns {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (nameServers !== null) resolver.setServers(nameServers);

  return {
    async records(host) {
      const find = async (type: DnsRecord["type"], query: Promise<string[]>) => {
        const values = await valuesOrNull(query);
        const record = (value: string) => ({
          type,
          name: host,
          value: value.toLowerCase().slice(0, 255),
        });
        return values?.map(record) ?? null;
      };
      const found = await Promise.all([
        find("CNAME", resolver.resolveCname(host)),
        find("A", resolver.resolve4(host)),
        find("AAAA", resolver.resolve6(host)),
      ]);
      if (found.every((records) => records === null)) return null;
      return found.flatMap((records) => records ?? []).slice(0, SHOWN_RECORDS);
    },
    async proofs(host) {
      const found = await resolver.resolveTxt(`${DOMAIN_PROOF_LABEL}.${host}`).catch(() => []);
      return found.map((parts) => parts.join(""));
    },
  };
}

/** Returns null if the name servers did not respond, or failed. */
async function valuesOrNull(query: Promise<string[]>): Promise<string[] | null> {
  try {
    return await query;
  } catch (error) {
    const isUnknown = error instanceof Error && "code" in error && UNKNOWN_NAME.has(error.code);
    return isUnknown ? [] : null;
  }
}
