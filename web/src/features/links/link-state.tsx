import type { Link } from "@tapthru/proto/links";
import type { LinkState, UnhealthyState } from "@tapthru/proto/rules/link-health";
import { Ban, Clock, TriangleAlert } from "lucide-react";
import { Badge } from "../../components/ui/badge.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { formatMinute, hasPassed } from "../../lib/dates.ts";

/** Beside links. A link without a tag has another badge. */
const HEALTH_BADGES: Record<Exclude<UnhealthyState, "tag-missing">, string> = {
  "product-gone": "Product gone",
  "redirected-elsewhere": "Redirected",
  "tag-malformed": "Check the tag",
  "out-of-stock": "Out of stock",
};

const earlyNotice = (startsAt: string, fallbackUrl: string | null) =>
  `This link starts ${formatMinute(startsAt)}. Until then visitors ${fallbackUrl === null ? "see that it was not found." : `get this page instead: ${fallbackUrl}`}`;

const expiredNotice = (fallbackUrl: string | null) =>
  fallbackUrl === null
    ? "This link has expired. Visitors see that it is no longer available."
    : `This link has expired. Visitors get this page instead: ${fallbackUrl}`;

type State = Pick<Link, "takenDown" | "invalid" | "health">;

export function isUsable({ takenDown, invalid }: Omit<State, "health">): boolean {
  return !takenDown && !invalid;
}

export function LinkBadges({ link }: { link: State }) {
  const { takenDown, invalid, health } = link;
  const badges: Partial<Record<LinkState, string>> = HEALTH_BADGES;
  const healthBadge = isUsable(link) && badges[health.state];
  return (
    <>
      {takenDown && <Badge>Taken down</Badge>}
      {invalid && <Badge>Invalid link</Badge>}
      {healthBadge && <Badge>{healthBadge}</Badge>}
    </>
  );
}

export function LinkNotices({ link: { takenDown, invalid, startsAt, expiresAt, health } }: { link: Link }) {
  return (
    <>
      {startsAt !== null && !hasPassed(startsAt) && !hasPassed(expiresAt) && (
        <Notice icon={Clock}>{earlyNotice(startsAt, health.fallbackUrl)}</Notice>
      )}
      {hasPassed(expiresAt) && <Notice icon={Clock}>{expiredNotice(health.fallbackUrl)}</Notice>}
      {takenDown && (
        <Notice icon={Ban}>
          This link was taken down. Visitors see that it is no longer available, and it cannot be edited.
        </Notice>
      )}
      {invalid && (
        <Notice icon={TriangleAlert}>
          The address of this link is not a page of an Amazon store. You can only delete it.
        </Notice>
      )}
    </>
  );
}
