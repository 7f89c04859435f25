import type { Link } from "@tapthru/proto/http/links";
import type { LinkState } from "@tapthru/proto/rules/link-health";
import { messages } from "@tapthru/proto/rules/messages";
import { Ban, Clock, TriangleAlert } from "lucide-react";
import { Badge } from "../../components/ui/badge.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { hasPassed } from "../../lib/dates.ts";

type State = Pick<Link, "takenDown" | "invalid" | "health">;

/** Whether a link may be edited and shared. */
export function isUsable({ takenDown, invalid }: Omit<State, "health">): boolean {
  return !takenDown && !invalid;
}

export function LinkBadges({ link }: { link: State }) {
  const { takenDown, invalid, health } = link;
  const badges: Partial<Record<LinkState, string>> = messages.healthBadges;
  const healthBadge = isUsable(link) && badges[health.state];
  return (
    <>
      {takenDown && <Badge>{messages.takenDown}</Badge>}
      {invalid && <Badge>{messages.invalidLink}</Badge>}
      {healthBadge && <Badge>{healthBadge}</Badge>}
    </>
  );
}

interface LinkNoticesProps {
  link: Pick<Link, "takenDown" | "invalid" | "expiresAt" | "health">;
}

export function LinkNotices({ link: { takenDown, invalid, expiresAt, health } }: LinkNoticesProps) {
  return (
    <>
      {hasPassed(expiresAt) && (
        <Notice icon={Clock}>{messages.expiredNotice(health.fallbackUrl)}</Notice>
      )}
      {takenDown && <Notice icon={Ban}>{messages.takenDownNotice}</Notice>}
      {invalid && <Notice icon={TriangleAlert}>{messages.invalidLinkNotice}</Notice>}
    </>
  );
}
