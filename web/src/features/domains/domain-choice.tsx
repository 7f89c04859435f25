import { useQuery } from "@tanstack/react-query";
import type { Domain } from "@tapthru/proto/domains";
import { canHaveLinks } from "@tapthru/proto/rules/domains";
import { useState } from "react";
import { SelectField } from "../../components/ui/select-field.tsx";
import { useConfig } from "../../lib/config.ts";
import { LINKS_STALE_MS, queryOf } from "../../lib/http/query-presets.ts";
import { useHost } from "../../lib/use-host.ts";

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

/** The domain that the user chooses; at first `initial` or their default. Undefined if they have none to choose. */
export function useDomainChoice(initial?: string | null) {
  const domains = useUsableDomains();
  const { hasDomains } = useConfig();
  const { isPending } = useQuery({ ...domainsOptions, enabled: hasDomains });
  const [chosen, setChosen] = useState(initial);
  const usual = domains.find(({ isDefault }) => isDefault)?.host ?? null;
  return {
    hosts: domains.map(({ host }) => host),
    value: domains.length === 0 ? undefined : chosen === undefined ? usual : chosen,
    onSelect: setChosen,
    isKnown: !hasDomains || !isPending,
  };
}

interface DomainSelectProps {
  label: string;
  hosts: readonly string[];
  /** Null is the site's own host. */
  value: string | null | undefined;
  onSelect: (domain: string | null) => void;
}

/** Nothing if there is nothing to choose. */
export function DomainSelect({ label, hosts, value, onSelect }: DomainSelectProps) {
  const siteHost = useHost();
  if (hosts.length === 0) return null;
  const options = [["", siteHost], ...hosts.map((host) => [host, host] as const)] as const;
  return (
    <SelectField label={label} options={options} value={value ?? ""} onChange={(host) => onSelect(host || null)} />
  );
}
