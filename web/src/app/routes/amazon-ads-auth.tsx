import { messages } from "@tapthru/proto/rules/messages";
import { Link } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageTitle } from "../../components/ui/page-title.tsx";
import { AmazonAds } from "../../features/amazon-ads/amazon-ads.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { paths } from "../paths.ts";

export default function AmazonAdsAuth() {
  usePageTitle(messages.connectAmazonAds);
  return (
    <div className="mx-auto w-full max-w-lg px-4 pt-8 pb-16 sm:px-6 sm:pt-20">
      <div className="text-center">
        <PageTitle size="small">{messages.connectAmazonAds}</PageTitle>
      </div>
      <p className="mt-2 mb-6 text-center leading-6 text-pretty text-muted">
        {messages.connectAmazonAdsText}
      </p>
      <AmazonAds />
      <p className="mt-6 text-center text-md">
        <Link to={paths.amazonAdsPrivacy} className={textLinkClass}>
          {messages.amazonAdsPolicyTitle}
        </Link>
      </p>
    </div>
  );
}
