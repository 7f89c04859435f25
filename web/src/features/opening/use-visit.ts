import { useQueries } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import type { RoutingOfLink } from "@tapthru/proto/routing";
import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { ROUTED_COUNTRIES } from "@tapthru/proto/rules/routing/country-stores";
import { explainVisit, type VisitExplanation } from "@tapthru/proto/rules/routing/explain-visit";
import type { StoreTag } from "@tapthru/proto/stores";
import { channelsOptions, findChannel } from "../../lib/channels.ts";
import { LOCALE } from "../../lib/locale-formats.ts";
import { linkRoutingOptions } from "../routing/api.ts";
import { oneLinkStoresOptions } from "../tags/onelink-stores.ts";

export interface ExplainedVisit {
  /** Null while what it depends on is loading, and after a failure. */
  explanation: VisitExplanation | null;
  /** The page of another store that the visit opens; null: the link's own destination. */
  routedPage: StorePage | null;
  hasFailed: boolean;
  retry(): void;
}

const OTHER: VisitExplanation = { kind: "stays", reason: "no-store", stores: [] };

type VisitedLink = Pick<Link, "shortCode" | "channelId">;

/** Where visitors from a country go. Loads what it depends on once a country is chosen. */
export function useVisit(page: StorePage, link: VisitedLink, country: string): ExplainedVisit {
  const enabled = country !== OTHER_COUNTRY;
  const [routing, channels, oneLink] = useQueries({
    queries: [
      { ...linkRoutingOptions(link.shortCode), enabled },
      { ...channelsOptions, enabled },
      { ...oneLinkStoresOptions, enabled },
    ],
  });
  const queries = [routing, channels, oneLink];
  const tags = channels.data && findChannel(channels.data, link.channelId)?.tags;
  const explanation = enabled ? explain(page, country, routing.data, tags, oneLink.data) : OTHER;
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

/** Visitors whose country is unknown, or has no store. */
export const OTHER_COUNTRY = "";

/** In English, like the rest of the page. */
const NAMES = new Intl.DisplayNames(LOCALE, { type: "region" });
const { compare } = new Intl.Collator(LOCALE);

/** The countries with a store, by name, after one option for all others. */
export const COUNTRY_OPTIONS: readonly (readonly [code: string, name: string])[] = [
  [OTHER_COUNTRY, "Any other country, or unknown"],
  ...ROUTED_COUNTRIES.map((code) => [code, NAMES.of(code) ?? code] as const).sort(([, a], [, b]) => compare(a, b)),
];
