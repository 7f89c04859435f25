import { Page } from "../../../components/ui/page.tsx";
import { AllLinks } from "../../../features/operator/all-links.tsx";

export default function LinksPage() {
  return (
    <Page layout="section" title="Links">
      <AllLinks />
    </Page>
  );
}
