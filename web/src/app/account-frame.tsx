import { messages } from "@tapthru/proto/rules/messages";
import type { ReactNode } from "react";
import { useConfig } from "../lib/config.ts";
import { paths } from "./paths.ts";
import { SectionFrame } from "./section-frame.tsx";

const SECTIONS = [
  { to: paths.account, name: "Profile" },
  { to: paths.security, name: "Security" },
  { to: paths.stores, name: "Stores and tags" },
  { to: paths.share, name: "Sharing" },
  { to: paths.developers, name: "Developers" },
  { to: paths.activity, name: "Activity" },
  { to: paths.ownData, name: "Your data" },
];
const DOMAINS = { to: paths.domains, name: "Domains" };
const AMAZON_ADS = { to: paths.amazonAdsAuth, name: "Amazon Ads" };

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
