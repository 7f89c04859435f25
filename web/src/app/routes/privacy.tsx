import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { SitePolicy } from "../../features/privacy/site-policy.tsx";
import { paths } from "../paths.ts";

export default function Privacy() {
  return (
    <SitePolicy
      amazonAdsPolicy={
        <>
          If you connect an Amazon advertising account, this policy also applies:{" "}
          <PageLink to={paths.amazonAdsPrivacy} className={textLinkClass}>
            Privacy policy for the Amazon Ads API integration
          </PageLink>
        </>
      }
    />
  );
}
