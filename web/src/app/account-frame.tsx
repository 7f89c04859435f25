import { messages } from "@tapthru/proto/rules/messages";
import * as activityTexts from "@tapthru/proto/rules/messages/activity";
import type { ReactNode } from "react";
import { TabLinks } from "../components/ui/tab-links.tsx";
import { useSession } from "../features/session/session-context.tsx";
import { useConfig } from "../lib/config.ts";
import { paths } from "./paths.ts";

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
const OPERATOR = { to: paths.operator, name: messages.operatorTab };

/** A section of the account, with links to all of them: at the left in wide windows, else in a row above it. */
export default function AccountFrame({ children }: { children: ReactNode }) {
  const { hasAmazonAds, hasDomains } = useConfig();
  const { user } = useSession();
  const tabs = [
    ...SECTIONS.slice(0, 3),
    ...(hasDomains ? [DOMAINS] : []),
    ...SECTIONS.slice(3),
    ...(hasAmazonAds ? [AMAZON_ADS] : []),
    ...(user?.isOperator ? [OPERATOR] : []),
  ];
  return (
    <div className="mx-auto flex w-full max-w-page flex-col gap-6 px-4 pt-4 pb-12 sm:px-6 lg:max-w-wide lg:flex-row lg:gap-10 lg:pt-12">
      <div className="lg:w-52 lg:shrink-0">
        <TabLinks label={messages.yourAccount} tabs={tabs} isListOnWide />
      </div>
      <div className="min-w-0 lg:flex-1">{children}</div>
    </div>
  );
}
