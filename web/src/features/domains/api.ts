import { useQuery } from "@tanstack/react-query";
import type { Domain } from "@tapthru/proto/domains";
import { canHaveLinks } from "@tapthru/proto/rules/domains";
import { useConfig } from "../../lib/config.ts";
import { LINKS_STALE_MS, queryOf } from "../../lib/http/query-presets.ts";

export const DOMAIN_STATE_NAMES = {
  waiting: "Waiting for DNS",
  ordering: "Ordering certificate",
  works: "Works",
  failing: "Has a problem",
  off: "Off",
};

export const domainsOptions = { ...queryOf("GET /api/domains"), staleTime: LINKS_STALE_MS };

const NONE: Domain[] = [];

/** The user's domains on which links can be; empty while they are unknown. */
export function useUsableDomains(): readonly Domain[] {
  const { hasDomains } = useConfig();
  const { data = NONE } = useQuery({
    ...domainsOptions,
    enabled: hasDomains,
    select: (domains) => domains.filter(({ state }) => canHaveLinks(state)),
  });
  return data;
}
