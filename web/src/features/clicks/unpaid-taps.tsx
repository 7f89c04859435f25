import { useQuery } from "@tanstack/react-query";
import { PAYABLE, UNPAID, type Unpaid } from "@tapthru/proto/clicks/keys";
import { paths } from "@tapthru/proto/rules/paths";
import type { ReactNode } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { useChosenAccount, usePermission } from "../../kit/can.tsx";
import { formatCount, formatNumber } from "../../lib/locale-formats.ts";
import { type ClickScope, clicksOptions } from "./api.ts";

/** The text after the number of taps, and what to do about it. */
const REASONS: Record<Unpaid, string> = {
  ads: "came from ads, for which Amazon does not pay: advertise without the tag.",
  mail: "came from email, where Amazon allows no tag: use ‘Copy for email’.",
  print: "came from a QR code, where Amazon allows no tag: print the code of the link without a tag.",
  store: "went to a store for which the link has no tag of yours.",
  tag: "had two tags, none, or one that Amazon does not read.",
  untagged: "opened a link without a tag, for email and print.",
};

const linkTo = (path: string, text: string) => (
  <PageLink to={path} className={textLinkClass}>
    {text}
  </PageLink>
);

/** The taps of a period for which Amazon does not pay, by reason. Nothing if there are none. */
export function UnpaidTaps({ scope }: { scope: ClickScope }) {
  const isOfAll = scope.shortCode === null;
  // Only users themselves see the data of their account.
  const isOwn = useChosenAccount() === null;
  const data = isOfAll && isOwn && linkTo(paths.ownData, "See which links");
  const deeds: Partial<Record<Unpaid, ReactNode>> = {
    ...{ ads: data, mail: data, print: data },
    tag: isOfAll && linkTo(`${paths.dashboard}?show=needs-attention`, "See which links"),
    store: usePermission("PUT /api/channels/:id/tags") && linkTo(paths.stores, "Add your tag"),
  };
  const report = useQuery(clicksOptions(scope, "pay")).data;
  const taps = new Map(report?.breakdown.map(({ key, person }) => [key, person]));
  const reasons = UNPAID.filter((reason) => taps.has(reason));
  if (reasons.length === 0) return null;
  const unpaid = reasons.reduce((sum, reason) => sum + (taps.get(reason) ?? 0), 0);
  const all = unpaid + (taps.get(PAYABLE) ?? 0);
  return (
    <Card title="Taps that cannot pay">
      <p className="mb-3 text-pretty">
        {`Of ${formatCount(all, "tap")}, at least ${formatNumber(unpaid)} cannot pay by Amazon's rules.`}
      </p>
      <ul className="divide-y divide-line text-sm *:py-2">
        {reasons.map((reason) => (
          <li key={reason} className="text-pretty">
            <span className="font-medium tabular-nums">{formatNumber(taps.get(reason) ?? 0)}</span> {REASONS[reason]}{" "}
            {deeds[reason]}
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-pretty text-muted">
        Ads without an id and emails without a referrer are not recognized. Bots and assistants do not count.
      </p>
    </Card>
  );
}
