import { useQueries } from "@tanstack/react-query";
import type { RoutingOfLink } from "@tapthru/proto/http/routing";
import type { StoreTag } from "@tapthru/proto/http/stores";
import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { explainVisit, type VisitExplanation } from "@tapthru/proto/rules/routing/explain-visit";
import { linkRoutingOptions } from "../../lib/link-routing.ts";
import { oneLinkStoresOptions, storeTagsOptions } from "../../lib/store-tags.ts";
import { OTHER_COUNTRY } from "./country-options.ts";

export interface ExplainedVisit {
  /** Null while what it depends on is loading, and after a failure. */
  explanation: VisitExplanation | null;
  /** The page of another store that the visit opens; null: the link's own destination. */
  routedPage: StorePage | null;
  hasFailed: boolean;
  retry(): void;
}

const OTHER: VisitExplanation = { kind: "stays", reason: "no-store", stores: [] };

/** Where visitors from a country go. Loads what it depends on once a country is chosen. */
export function useVisit(page: StorePage, shortCode: string, country: string): ExplainedVisit {
  const enabled = country !== OTHER_COUNTRY;
  const [routing, tags, oneLink] = useQueries({
    queries: [
      { ...linkRoutingOptions(shortCode), enabled },
      { ...storeTagsOptions, enabled },
      { ...oneLinkStoresOptions, enabled },
    ],
  });
  const queries = [routing, tags, oneLink];
  const explanation = enabled
    ? explain(page, country, routing.data, tags.data, oneLink.data)
    : OTHER;
  return {
    explanation,
    routedPage: explanation?.kind === "routed" ? parseStorePage(explanation.route.webUrl) : null,
    hasFailed: explanation === null && queries.some(({ isError }) => isError),
    retry: () => {
      for (const { isError, refetch } of queries) if (isError) void refetch();
    },
  };
}

function explain(
  { webUrl }: StorePage,
  country: string,
  routing: RoutingOfLink | undefined,
  tags: readonly StoreTag[] | undefined,
  oneLink: readonly Marketplace[] | undefined,
): VisitExplanation | null {
  if (!routing || !tags || !oneLink) return null;
  const tagged = tags.map(({ marketplace }) => marketplace);
  return explainVisit({ webUrl, ...routing, tagged, oneLink }, country);
}
