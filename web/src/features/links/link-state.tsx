import type { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { Ban, Clock, TriangleAlert } from "lucide-react";
import { Badge } from "../../components/ui/badge.tsx";
import { Notice } from "../../components/ui/notice.tsx";

type State = Pick<Link, "takenDown" | "invalid">;

/** Whether a link may be edited and shared. */
export function isUsable({ takenDown, invalid }: State): boolean {
  return !takenDown && !invalid;
}

export function LinkBadges({ link: { takenDown, invalid } }: { link: State }) {
  return (
    <>
      {takenDown && <Badge>{messages.takenDown}</Badge>}
      {invalid && <Badge>{messages.invalidLink}</Badge>}
    </>
  );
}

interface LinkNoticesProps {
  link: State & Pick<Link, "expiresAt">;
}

export function LinkNotices({ link: { takenDown, invalid, expiresAt } }: LinkNoticesProps) {
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <>
      {hasExpired && <Notice icon={Clock}>{messages.expiredNotice}</Notice>}
      {takenDown && <Notice icon={Ban}>{messages.takenDownNotice}</Notice>}
      {invalid && <Notice icon={TriangleAlert}>{messages.invalidLinkNotice}</Notice>}
    </>
  );
}
