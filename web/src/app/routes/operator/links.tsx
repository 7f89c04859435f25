import * as texts from "@tapthru/proto/rules/messages/operator-console";
import { Page } from "../../../components/ui/page.tsx";
import { AllLinks } from "../../../features/operator/all-links.tsx";

export default function LinksPage() {
  return (
    <Page layout="section" title={texts.operatorTabs.links}>
      <AllLinks />
    </Page>
  );
}
