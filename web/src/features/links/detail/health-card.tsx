import type { Link, LinkHealth } from "@tapthru/proto/http/links";
import { isUnhealthy } from "@tapthru/proto/rules/link-health";
import { messages } from "@tapthru/proto/rules/messages";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { formatMinute } from "../../../lib/dates.ts";
import { useCheckLink } from "./check-link.ts";
import { NewTabLink } from "./new-tab-link.tsx";

/** Whether something is wrong that no warning above the tabs says: a missing tag has one. */
export function hasHealthProblem({ health: { state } }: Link): boolean {
  return isUnhealthy(state) && state !== "tag-missing";
}

/** What the last check of a link found, and what the user can do. */
export function HealthCard({ link }: { link: Link }) {
  const { state } = link.health;
  const { check, isChecking, note } = useCheckLink(link);
  return (
    <Card title={messages.linkHealth}>
      {isUnhealthy(state) ? (
        <>
          {/* The warning above the cards says that a tag is missing. */}
          {state !== "tag-missing" && (
            <p className={`mb-3 font-medium ${TEXT}`}>{messages.healthReasons[state]}</p>
          )}
          {state === "product-gone" && <GoneNote url={link.health.fallbackUrl} />}
          <p className={TEXT}>{messages.healthAdvice[state]}</p>
        </>
      ) : (
        <p className={TEXT}>{messages.healthReasons[state]}</p>
      )}
      <p className="mt-3 text-sm leading-5 text-pretty text-muted">{checksText(link.health)}</p>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="outline" disabled={isChecking} onClick={check}>
          {isChecking ? messages.checking : messages.checkNow}
        </Button>
        <p role="status" className={TEXT}>
          {note}
        </p>
      </div>
    </Card>
  );
}

/** What visitors of a link whose product is gone get. */
function GoneNote({ url }: { url: string | null }) {
  return (
    <p className={`mb-3 ${TEXT}`}>
      {url === null ? messages.visitorsSeeGone : `${messages.fallbackOpensNow} `}
      {url && <NewTabLink href={url}>{url}</NewTabLink>}
    </p>
  );
}

function checksText({ state, since, checkedAt, source, attemptedAt }: LinkHealth): string {
  const hasFailed = attemptedAt !== null && attemptedAt !== checkedAt;
  return [
    ...(since !== null && isUnhealthy(state) ? [messages.healthSince(formatMinute(since))] : []),
    ...(checkedAt !== null && source !== null
      ? [messages.lastChecked(formatMinute(checkedAt), source)]
      : []),
    ...(hasFailed ? [messages.lastFailed(formatMinute(attemptedAt))] : []),
  ].join(" ");
}

const TEXT = "text-md leading-6 text-pretty";
