import type { AmazonAdsConnection } from "@tapthru/proto/http/amazon-ads";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { messages } from "@tapthru/proto/rules/messages";
import type { ReactNode } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { ConfirmButton } from "../../components/ui/dialog.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";
import { formatLongDay } from "../../lib/dates.ts";
import { LOCALE } from "../../lib/locale-formats.ts";
import { useDisconnect } from "./api.ts";

/** The Amazon page where users withdraw their consent. */
const AMAZON_APPS_URL = "https://www.amazon.com/ap/adam";

export function ConnectedAccount({ connection }: { connection: AmazonAdsConnection }) {
  const { accountName, accountEmail, region, profiles, connectedAt } = connection;
  return (
    <dl className="flex flex-col gap-5 wrap-anywhere">
      <Entry name={messages.adsAccount}>
        <p>{accountName ?? messages.unnamedAdsAccount}</p>
        {accountEmail && <p className="text-sm text-muted">{accountEmail}</p>}
      </Entry>
      <Entry name={messages.adsRegion}>{messages.adsRegions[region].name}</Entry>
      <Entry name={messages.adsProfiles}>
        {profiles.length === 0 ? messages.noAdsProfiles : <Profiles profiles={profiles} />}
      </Entry>
      <Entry name={messages.adsConnectedSince}>
        <time dateTime={connectedAt}>{formatLongDay(connectedAt)}</time>
      </Entry>
    </dl>
  );
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="mb-1 text-sm text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Profiles({ profiles }: Pick<AmazonAdsConnection, "profiles">) {
  return (
    <ul className="flex flex-col gap-2">
      {profiles.map(({ id, name, countryCode }) => (
        <li key={id}>
          {name ?? id} <span className="text-sm text-muted">{marketplaceName(countryCode)}</span>
        </li>
      ))}
    </ul>
  );
}

export function ConsentNote() {
  return (
    <p className="text-sm text-pretty text-muted">
      {messages.adsConsentNote}{" "}
      <OutsideLink href={AMAZON_APPS_URL} target="_blank" rel="noopener" className={textLinkClass}>
        {messages.manageAtAmazon}
      </OutsideLink>
    </p>
  );
}

export function DisconnectButton() {
  const { mutate, isPending } = useDisconnect();
  return (
    <ConfirmButton
      label={messages.disconnect}
      pendingLabel={messages.disconnecting}
      question={messages.confirmDisconnectAds}
      isPending={isPending}
      onConfirm={(close) => mutate(undefined, { onError: close })}
    />
  );
}

/** Codes of the Ads API that differ from ISO 3166-1. */
const ISO_CODES: Record<string, string> = { UK: "GB" };

const COUNTRY_NAMES = new Intl.DisplayNames(LOCALE, { type: "region", fallback: "code" });

/** The country and the store of an advertising profile, such as "Germany, amazon.de". */
export function marketplaceName(countryCode: string): string {
  const code = ISO_CODES[countryCode] ?? countryCode;
  if (!/^[A-Z]{2}$/.test(code)) return countryCode;
  const name = COUNTRY_NAMES.of(code) ?? code;
  const store = Object.entries(MARKETPLACES).find(([, { country }]) => country === code);
  return store ? `${name}, amazon.${store[0]}` : name;
}
