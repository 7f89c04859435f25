import { Page } from "../../../components/ui/page.tsx";
import { AllActivity, AllActivityCsvButton } from "../../../features/activity/all-activity.tsx";

export default function ActivityPage() {
  return (
    <Page
      layout="section"
      title="Activity"
      intro="What was changed in this installation, when and by whom. Rows cannot be changed or deleted here; the address is removed after 30 days."
      action={<AllActivityCsvButton />}
    >
      <AllActivity />
    </Page>
  );
}
