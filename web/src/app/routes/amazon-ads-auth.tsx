import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { AmazonAds } from "../../features/amazon-ads/amazon-ads.tsx";
import { paths } from "../paths.ts";
import { Loading } from "../session-guards.tsx";

export default function AmazonAdsAuth() {
  return (
    <AmazonAds
      fallback={<Loading text="Loading..." />}
      policy={
        <PageLink to={paths.amazonAdsPrivacy} className={textLinkClass}>
          Privacy policy for the Amazon Ads API integration
        </PageLink>
      }
    />
  );
}
