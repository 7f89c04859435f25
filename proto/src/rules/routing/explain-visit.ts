import type { LinkRouting } from "../../redirect/link-routing.ts";
import { parseStorePage } from "../amazon/amazon-url.ts";
import type { Marketplace } from "../amazon/marketplaces.ts";
import { tagHealth } from "../amazon/tag-health.ts";
import { storesFor } from "./country-stores.ts";
import { type Route, routedProduct, routeVisit } from "./route-visit.ts";

/** A link to a product, with what the routing of its owner's account and of the link itself says. */
export interface ExplainedLink {
  webUrl: string;
  /** Whether visitors of the link are sent to their own store. */
  isOn: boolean;
  /** As the redirect has it. */
  routing: LinkRouting | null;
  /** The stores for which the owner saved a tag. */
  tagged: readonly Marketplace[];
  /** The stores that Amazon OneLink serves, as the owner says. */
  oneLink: readonly Marketplace[];
}

/** Why a visit opens the link's own destination. */
export type StayReason =
  /** The country is not known, or has no store. */
  | "no-store"
  | "own-store"
  | "off"
  /** A sale elsewhere would not be in the report of Amazon Attribution. */
  | "attribution"
  | "one-link"
  | "no-tag"
  | "not-sold";

export type VisitExplanation =
  | { kind: "routed"; route: Route }
  /** `stores`: those of the visitor that are the reason. */
  | { kind: "stays"; reason: StayReason; stores: readonly Marketplace[] };

/**
 * Says where a visit from a country goes, as the redirect chooses it, or why it opens the link's own destination.
 * @param country of ISO 3166-1; anything else if it is not known
 */
export function explainVisit(link: ExplainedLink, country: string): VisitExplanation {
  const product = link.routing && routedProduct(link.webUrl, link.routing);
  const route = product && routeVisit(product, country);
  if (route !== null) return { kind: "routed", route };
  return { kind: "stays", ...whyItStays(link, storesFor(country)) };
}

function whyItStays(link: ExplainedLink, stores: readonly Marketplace[]) {
  const page = parseStorePage(link.webUrl);
  const own = stores.filter((store) => store === page?.marketplace);
  const served = stores.filter((store) => link.oneLink.includes(store));
  const tagged = stores.filter((store) => link.tagged.includes(store));
  if (stores.length === 0) return { reason: "no-store", stores } as const;
  if (own.length > 0) return { reason: "own-store", stores: own } as const;
  if (!link.isOn) return { reason: "off", stores } as const;
  if (page !== null && tagHealth(page).kind === "attribution") return { reason: "attribution", stores } as const;
  if (served.length > 0) return { reason: "one-link", stores: served } as const;
  if (tagged.length === 0) return { reason: "no-tag", stores } as const;
  return { reason: "not-sold", stores: tagged } as const;
}
