import { Page } from "../../components/ui/page.tsx";
import { activityFile } from "../../features/activity/api.ts";
import { OwnActivity } from "../../features/activity/own-activity.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";

export default function ActivityPage() {
  return (
    <Page
      layout="section"
      title="Activity"
      intro="What was changed in your account, when and by whom: by you, by members, by API keys, or by the operators of this site."
      action={<DownloadButton file={() => activityFile(null)} />}
    >
      <OwnActivity />
    </Page>
  );
}
