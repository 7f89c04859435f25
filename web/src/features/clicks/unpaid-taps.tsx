import { useQuery } from "@tanstack/react-query";
import { PAYABLE, UNPAID, type Unpaid } from "@tapthru/proto/clicks/keys";
import { paths } from "@tapthru/proto/rules/paths";
import type { ComponentProps } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { useChosenAccount } from "../../kit/may.tsx";
import { formatNumber } from "../../lib/locale-formats.ts";
import { type ClickScope, clicksOptions } from "./api.ts";

/** What happened, after the number of taps, and what to do about it. */
const REASONS: Record<Unpaid, string> = {
  ads: "came from ads, for which Amazon does not pay: advertise without the tag.",
  mail: "came from mail, where Amazon wants no tag: use ‘Copy for email’.",
  print: "came from a QR code, where Amazon wants no tag: print the code of the link without a tag.",
  store: "went to a store for which the link has no tag of yours.",
  tag: "had two tags, none, or one that Amazon does not read.",
  untagged: "opened a link without a tag, for mail and print.",
};

/** Where the links are listed. */
const LISTS: Partial<Record<Unpaid, string>> = {
  ads: paths.ownData,
  mail: paths.ownData,
  print: paths.ownData,
  tag: `${paths.dashboard}?show=needs-attention`,
};

/** The taps of a period for which Amazon does not pay, by reason. Nothing if there are none. */
export function UnpaidTaps({ scope }: { scope: ClickScope }) {
  // Only users themselves see the data of their account.
  const isOwn = useChosenAccount() === null;
  const { data } = useQuery(clicksOptions(scope, "pay"));
  const taps = new Map(data?.breakdown.map(({ key, person }) => [key, person]));
  const reasons = UNPAID.filter((reason) => taps.has(reason));
  if (reasons.length === 0) return null;
  const unpaid = reasons.reduce((sum, reason) => sum + (taps.get(reason) ?? 0), 0);
  const all = unpaid + (taps.get(PAYABLE) ?? 0);
  return (
    <Card title="Taps that cannot pay">
      <p className="mb-3 text-pretty">
        {`Of ${formatNumber(all)} taps, at least ${formatNumber(unpaid)} cannot pay by Amazon's rules.`}
      </p>
      <ul className="divide-y divide-line text-sm *:py-2">
        {reasons.map((reason) => {
          const list = scope.shortCode === null && (isOwn || reason === "tag") ? LISTS[reason] : undefined;
          return (
            <li key={reason} className="text-pretty">
              <span className="font-medium tabular-nums">{formatNumber(taps.get(reason) ?? 0)}</span> {REASONS[reason]}{" "}
              {list && <TextLink to={list}>See which links</TextLink>}
              {reason === "store" && <TextLink to={paths.stores}>Add your tag</TextLink>}
            </li>
          );
        })}
      </ul>
      <p className="mt-3 text-sm text-pretty text-muted">
        Ads without an id and mails without a referrer are not seen. Bots and assistants are no taps.
      </p>
    </Card>
  );
}

const TextLink = (props: ComponentProps<typeof PageLink>) => <PageLink {...props} className={textLinkClass} />;
