import * as texts from "@tapthru/proto/rules/messages/activity";
import { Page } from "../../components/ui/page.tsx";
import { ActivityCsvButton } from "../../features/activity/activity-list.tsx";
import { OwnActivity } from "../../features/activity/own-activity.tsx";

export default function ActivityPage() {
  return (
    <Page
      layout="section"
      title={texts.activity}
      intro={texts.activityIntro}
      action={<ActivityCsvButton filters={null} />}
    >
      <OwnActivity />
    </Page>
  );
}
