import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Domain } from "@tapthru/proto/domains";
import { canHaveLinks } from "@tapthru/proto/rules/domains";
import { useConfig } from "../../lib/config.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { LINKS_STALE_MS } from "../../lib/http/query-presets.ts";

export const DOMAIN_STATE_NAMES = {
  waiting: "Waiting for DNS",
  ordering: "Ordering certificate",
  works: "Works",
  failing: "Has a problem",
  off: "Off",
};

const path = "/api/domains";

export const domainsOptions = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => callApi(`GET ${path}`, { signal }),
  staleTime: LINKS_STALE_MS,
});

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
