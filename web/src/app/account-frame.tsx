import { messages } from "@tapthru/proto/rules/messages";
import * as activityTexts from "@tapthru/proto/rules/messages/activity";
import type { ReactNode } from "react";
import { useConfig } from "../lib/config.ts";
import { paths } from "./paths.ts";
import { SectionFrame } from "./section-frame.tsx";

const SECTIONS = [
  { to: paths.account, name: messages.profile },
  { to: paths.security, name: messages.security },
  { to: paths.stores, name: messages.stores },
  { to: paths.share, name: messages.sharingTab },
  { to: paths.developers, name: messages.developers },
  { to: paths.activity, name: activityTexts.activity },
  { to: paths.ownData, name: messages.yourData },
];
const DOMAINS = { to: paths.domains, name: messages.domainsTab };
const AMAZON_ADS = { to: paths.amazonAdsAuth, name: messages.amazonAds };

/** A section of the account, with links to all of them. */
export default function AccountFrame({ children }: { children: ReactNode }) {
  const { hasAmazonAds, hasDomains } = useConfig();
  const tabs = [
    ...SECTIONS.slice(0, 3),
    ...(hasDomains ? [DOMAINS] : []),
    ...SECTIONS.slice(3),
    ...(hasAmazonAds ? [AMAZON_ADS] : []),
  ];
  return (
    <SectionFrame label={messages.yourAccount} tabs={tabs}>
      {children}
    </SectionFrame>
  );
}
