import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../components/ui/page.tsx";
import { AppOpeningStatus } from "../../features/app-opening-status/app-opening-status.tsx";

export default function AppOpeningStatusPage() {
  return (
    <Page title={messages.openingStatusTitle} intro={messages.openingStatusIntro}>
      <AppOpeningStatus />
    </Page>
  );
}
