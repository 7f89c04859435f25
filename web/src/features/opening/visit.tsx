import { useQueries } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import type { RoutingOfLink } from "@tapthru/proto/routing";
import { parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { Marketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { ROUTED_COUNTRIES } from "@tapthru/proto/rules/routing/country-stores";
import { explainVisit, type StayReason, type VisitExplanation } from "@tapthru/proto/rules/routing/explain-visit";
import type { StoreTag } from "@tapthru/proto/stores";
import { textLinkClass } from "../../components/ui/button.tsx";
import { channelsOptions, findChannel } from "../../lib/channels.ts";
import { LOCALE } from "../../lib/locale-formats.ts";
import { linkRoutingOptions } from "../routing/api.ts";
import { oneLinkStoresOptions } from "../tags/onelink-stores.ts";

interface ExplainedVisit {
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

/** Says where visitors from a country go, and why. */
export function VisitNote({ visit }: { visit: ExplainedVisit }) {
  return (
    <p aria-live="polite" className="mt-2 text-md leading-6 text-pretty">
      {visit.hasFailed ? (
        <>
          Failed to load where they go.{" "}
          <button type="button" onClick={visit.retry} className={textLinkClass}>
            Try again
          </button>
        </>
      ) : (
        noteText(visit)
      )}
    </p>
  );
}

function noteText({ explanation, routedPage }: ExplainedVisit): string {
  if (explanation === null) return "Loading...";
  if (explanation.kind === "stays") {
    return STAYS[explanation.reason](explanation.stores.map((store) => `amazon.${store}`));
  }
  const { kind, marketplace } = explanation.route;
  const text =
    kind === "product"
      ? (store: string, tag: string) => `They open the product on ${store}, with your tag ${tag}.`
      : (store: string, tag: string) =>
          `They search for the title on ${store}, with your tag ${tag}, because it isn't known to sell the product.`;
  return text(`amazon.${marketplace}`, routedPage?.tag ?? "");
}

const AND = new Intl.ListFormat(LOCALE);
const OR = new Intl.ListFormat(LOCALE, { type: "disjunction" });

const STAYS: Record<StayReason, (stores: readonly string[]) => string> = {
  "no-store": () => "They open your original link.",
  "own-store": (stores) => `They open your original link: ${AND.format(stores)} is their store.`,
  off: () => "They open your original link: sending visitors to their own store is off for this link.",
  attribution: () =>
    "They open your original link: sales in another store would be missing from the Amazon Attribution report.",
  "one-link": (stores) =>
    `They open your original link: you said that Amazon OneLink serves ${AND.format(stores)}, so Amazon sends them there.`,
  "no-tag": (stores) => `They open your original link: you have no tag for ${OR.format(stores)}.`,
  "not-sold": (stores) => `They open your original link: ${OR.format(stores)} isn't known to sell the product.`,
};
