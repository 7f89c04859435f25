import type { Link } from "@tapthru/proto/http/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { messages } from "@tapthru/proto/rules/messages";
import { StoreFlag } from "../../components/store-flag.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { LabelChips } from "./labels/label-chips.tsx";
import { LinkBadges } from "./link-state.tsx";

/** What a card says about a link: its store, date, tag, labels and state. */
export function LinkFacts({ link }: { link: Link }) {
  const page = parseStorePage(link.webUrl);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {page && <StoreFlag marketplace={page.marketplace} />}
      <span>
        <span className="sr-only">{messages.createdOn} </span>
        <time dateTime={link.createdAt}>{formatDate(link.createdAt)}</time>
      </span>
      {page && <TagBadge tag={page.tag} />}
      <LinkBadges link={link} />
      <LabelChips labels={link.labels} limit={2} />
      {link.expiresAt !== null && <Badge>{expiryText(link.expiresAt)}</Badge>}
    </span>
  );
}

function TagBadge({ tag }: { tag: string | null }) {
  if (tag === null) return <Badge>{messages.noTag}</Badge>;
  return (
    <Badge variant="quiet">
      <span className="sr-only">{messages.tag} </span>
      <bdi>{tag}</bdi>
    </Badge>
  );
}

function expiryText(expiresAt: string): string {
  return Date.parse(expiresAt) <= Date.now()
    ? messages.expired
    : messages.expiresOn(formatDate(expiresAt));
}

const SHORT_FORMAT = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });
const FORMAT = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

/** Without the year if it is the current one. */
function formatDate(iso: string): string {
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return (isThisYear ? SHORT_FORMAT : FORMAT).format(date);
}
