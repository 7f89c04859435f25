import { messages } from "@tapthru/proto/rules/messages";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { SitePolicy } from "../../features/privacy/site-policy.tsx";
import { paths } from "../paths.ts";

export default function Privacy() {
  return (
    <SitePolicy
      amazonAdsPolicy={
        <>
          {messages.amazonAdsPolicyLead}{" "}
          <PageLink to={paths.amazonAdsPrivacy} className={textLinkClass}>
            {messages.amazonAdsPolicyTitle}
          </PageLink>
        </>
      }
    />
  );
}
