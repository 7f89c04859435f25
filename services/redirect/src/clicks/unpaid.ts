import { AD_SOURCE, PRINT_SOURCE, UNTAGGED, type Unpaid } from "@tapthru/proto/clicks/keys";
import { isMailHost } from "@tapthru/proto/clicks/sources";
import { isMarketplace } from "@tapthru/proto/rules/amazon/marketplaces";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import type { AppPageVisit } from "../choose-destination.ts";
import type { LiveLink } from "../link.ts";
import type { QueryOrigin } from "./query-origin.ts";

type Opened = Pick<AppPageVisit, "link" | "route">;

interface Origin extends Pick<QueryOrigin, "sources" | "isMail"> {
  referrer: string;
}

/** Why Amazon does not pay for what a person buys after a tap; null: it could pay. */
export function unpaidReason(opened: Opened, { sources, isMail, referrer }: Origin): Unpaid | null {
  if (opened.link.isUntagged) return UNTAGGED;
  if (sources.includes(AD_SOURCE)) return "ads";
  if (isMail || isMailHost(referrer)) return "mail";
  return sources.includes(PRINT_SOURCE) ? "print" : knownDefect(opened);
}

type TagDefect = Extract<Unpaid, "store" | "tag">;

/** By address. A link has few: its own, its fallback, and one for each store to which visitors are sent. */
const defects = new WeakMap<LiveLink, Map<string, TagDefect | null>>();

function knownDefect({ link, route }: Opened): TagDefect | null {
  const { webUrl } = route ?? link;
  const known = defects.get(link);
  let defect = known?.get(webUrl);
  if (defect === undefined) {
    defect = tagDefect({ link, route });
    if (known) known.set(webUrl, defect);
    else defects.set(link, new Map([[webUrl, defect]]));
  }
  return defect;
}

function tagDefect({ link, route }: Opened): TagDefect | null {
  const page = route ?? link;
  const { channels = {}, oneLink = [] } = link.saidBy ?? {};
  const own = Object.values(channels).flatMap(({ tags }) => tags[page.marketplace] ?? []);
  const health = tagHealth(page, oneLink.filter(isMarketplace));
  switch (health.kind) {
    case "none":
      return own.length > 0 ? "tag" : "store";
    case "foreign":
      return "store";
    case "onelink":
      return health.isServed ? null : "store";
    case "several":
    case "misplaced":
      return "tag";
    case "placeholder":
      return own.includes(health.tag) ? null : "tag";
    // Tags of other forms exist.
    case "unusual":
    case "attribution":
    case "sound":
      return null;
  }
}
