import { useQuery } from "@tanstack/react-query";
import { PAYABLE, UNPAID, type Unpaid } from "@tapthru/proto/clicks/keys";
import { paths } from "@tapthru/proto/rules/paths";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { useChosenAccount } from "../../kit/may.tsx";
import { formatNumber } from "../../lib/locale-formats.ts";
import { type ClickScope, clicksOptions } from "./api.ts";

type Deed = readonly [text: string, path: string] | null;

/** What happened with the taps, after their number, and what to do about it. */
function textOf(reason: Unpaid, shortCode: string | null, isOwn: boolean): readonly [text: string, deed: Deed] {
  // Only users themselves see the data of their account, where the links are named.
  const which: Deed = isOwn ? ["See which links", paths.ownData] : null;
  const onLink = (text: string, otherwise: Deed): Deed =>
    shortCode === null ? otherwise : [text, paths.link(shortCode)];
  switch (reason) {
    case "ads":
      return ["came from ads. Amazon does not pay for those.", onLink("Advertise with the link without a tag", which)];
    case "mail":
      return ["came from mail, where Amazon wants no tag.", onLink("Use the link for mail", which)];
    case "print":
      return ["came from a QR code, where Amazon wants no tag.", onLink("Use the code without a tag", which)];
    case "store":
      return ["went to a store for which you have no tag.", ["Add your tag", paths.stores]];
    case "tag":
      return [
        "had two tags, none, or one that Amazon does not read.",
        onLink("Repair the link", ["Repair the links", `${paths.dashboard}?show=needs-attention`]),
      ];
    case "untagged":
      return ["opened a link without a tag, for mail and print.", null];
  }
}

/** The taps of a period for which Amazon does not pay, by reason. Nothing if there are none. */
export function UnpaidTaps({ scope }: { scope: ClickScope }) {
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
          const [text, deed] = textOf(reason, scope.shortCode, isOwn);
          return (
            <li key={reason} className="text-pretty">
              <span className="font-medium tabular-nums">{formatNumber(taps.get(reason) ?? 0)}</span> {text}{" "}
              {deed && (
                <PageLink to={deed[1]} className={textLinkClass}>
                  {deed[0]}
                </PageLink>
              )}
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
