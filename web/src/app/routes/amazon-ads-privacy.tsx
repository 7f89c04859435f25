import { messages } from "@tapthru/proto/rules/messages";
import { AmazonAdsPolicy } from "../../features/privacy/amazon-ads-policy.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";

export default function AmazonAdsPrivacy() {
  usePageTitle(messages.amazonAdsPolicyTitle);
  return <AmazonAdsPolicy />;
}
