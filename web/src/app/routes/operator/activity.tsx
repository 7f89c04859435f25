import * as texts from "@tapthru/proto/rules/messages/activity";
import { Page } from "../../../components/ui/page.tsx";
import { AllActivity, AllActivityCsvButton } from "../../../features/activity/all-activity.tsx";

export default function ActivityPage() {
  return (
    <Page
      layout="section"
      title={texts.activity}
      intro={texts.allActivityIntro}
      action={<AllActivityCsvButton />}
    >
      <AllActivity />
    </Page>
  );
}
