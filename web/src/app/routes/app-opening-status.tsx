import { Page } from "../../components/ui/page.tsx";
import { AppOpeningStatus } from "../../features/app-opening-status/app-opening-status.tsx";

export default function AppOpeningStatusPage() {
  return (
    <Page
      title="How often the Amazon app opens"
      intro="On a phone a short link opens the Amazon app. Here is how often that worked, by the app in which people tapped. All links are counted together."
    >
      <AppOpeningStatus />
    </Page>
  );
}
