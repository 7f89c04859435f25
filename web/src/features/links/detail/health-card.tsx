import type { Link, LinkHealth } from "@tapthru/proto/links";
import { repairAmazonUrl } from "@tapthru/proto/rules/amazon/repair-url";
import { type CheckSource, healthReasons, isUnhealthy, type UnhealthyState } from "@tapthru/proto/rules/link-health";
import { Card } from "../../../components/ui/card.tsx";
import { NewTabLink } from "../../../components/ui/links.tsx";
import { Action } from "../../../kit/action.tsx";
import { formatMinute } from "../../../lib/dates.ts";

/** Says what the user can do, on the first tab of the page or above the tabs. */
const HEALTH_ADVICE: Record<UnhealthyState, string> = {
  "product-gone": "Change the destination to another product. The short link stays the same.",
  "redirected-elsewhere":
    "Open the link and check that the page is the right one. If not, change the destination. The short link stays the same.",
  "tag-missing": "Add your tag, or change the destination to one with your tag.",
  "tag-malformed":
    "Compare it with your tag at Amazon Associates, and change the destination. If it is right, save it under Tags and channels.",
  "out-of-stock":
    "It may come back. Until then you can change the destination to another product. The short link stays the same.",
};

const SOURCES: Record<CheckSource, string> = {
  "creators-api": "with Amazon's Creators API",
  page: "on its page",
};

const UNKNOWN_TAG = "The page works, but the tag of this link is not one of your tags.";

/** Returns true if something is wrong that no warning above the tabs says: a missing tag has one. */
export function hasHealthProblem({ health: { state } }: Link): boolean {
  return isUnhealthy(state) && state !== "tag-missing";
}

export function HealthCard({ link }: { link: Link }) {
  const { shortCode, health } = link;
  const { state } = health;
  return (
    <Card title="Health">
      {isUnhealthy(state) ? (
        <>
          {/* The warning above the cards says that a tag is missing. */}
          {state !== "tag-missing" && <p className={`mb-3 font-medium ${TEXT}`}>{healthReasons[state]}</p>}
          {state === "product-gone" && <GoneNote url={health.fallbackUrl} />}
          <p className={TEXT}>
            {state === "tag-malformed" && repairAmazonUrl(link.originalUrl)
              ? "Use the repaired address beside Original URL."
              : HEALTH_ADVICE[state]}
          </p>
        </>
      ) : (
        <p className={TEXT}>{link.hasUnknownTag ? UNKNOWN_TAG : healthReasons[state]}</p>
      )}
      <p role="status" className="mt-3 mb-4 text-sm leading-5 text-pretty text-muted">
        {checksText(health)}
      </p>
      <Action
        call="POST /api/links/:shortCode/check"
        input={{ params: { shortCode } }}
        label="Check now"
        done={({ isQueued }) =>
          isQueued
            ? "We are asking Amazon. This page shows the result within seconds."
            : "This product was checked less than a minute ago."
        }
        failed="Failed to check the link. Please try again."
      />
    </Card>
  );
}

function GoneNote({ url }: { url: string | null }) {
  return (
    <p className={`mb-3 ${TEXT}`}>
      {url === null ? "Visitors see a page of Amazon that says so." : "Visitors get this page instead: "}
      {url && <NewTabLink href={url}>{url}</NewTabLink>}
    </p>
  );
}

function checksText({ state, since, checkedAt, source, attemptedAt }: LinkHealth): string {
  const hasFailed = attemptedAt !== null && attemptedAt !== checkedAt;
  return [
    ...(since !== null && isUnhealthy(state) ? [`Since ${formatMinute(since)}.`] : []),
    ...(checkedAt !== null && source !== null
      ? [`Amazon last responded ${formatMinute(checkedAt)}, ${SOURCES[source]}.`]
      : []),
    ...(hasFailed ? [`Our last try was ${formatMinute(attemptedAt)}; Amazon did not respond.`] : []),
  ].join(" ");
}

const TEXT = "text-md leading-6 text-pretty";
