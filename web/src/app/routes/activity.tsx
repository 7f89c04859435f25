import { Page } from "../../components/ui/page.tsx";
import { ActivityCsvButton } from "../../features/activity/activity-list.tsx";
import { OwnActivity } from "../../features/activity/own-activity.tsx";

export default function ActivityPage() {
  return (
    <Page
      layout="section"
      title="Activity"
      intro="What was changed in your account, when and by whom: by you, by your API keys, or by the operators of this site."
      action={<ActivityCsvButton filters={null} />}
    >
      <OwnActivity />
    </Page>
  );
}
