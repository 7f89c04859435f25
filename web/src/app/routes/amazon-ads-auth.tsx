import { messages } from "@tapthru/proto/rules/messages";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { NarrowPage } from "../../components/ui/narrow-page.tsx";
import { AmazonAds } from "../../features/amazon-ads/amazon-ads.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { paths } from "../paths.ts";

export default function AmazonAdsAuth() {
  usePageTitle(messages.connectAmazonAds);
  return (
    <NarrowPage title={messages.connectAmazonAds} text={messages.connectAmazonAdsText}>
      <AmazonAds />
      <p className="mt-6 text-center text-md">
        <PageLink to={paths.amazonAdsPrivacy} className={textLinkClass}>
          {messages.amazonAdsPolicyTitle}
        </PageLink>
      </p>
    </NarrowPage>
  );
}
