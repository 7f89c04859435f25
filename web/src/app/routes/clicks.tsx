import { Page } from "../../components/ui/page.tsx";
import { Clicks } from "../../features/clicks/clicks.tsx";

export default function ClicksPage() {
  return (
    <Page title="Clicks">
      <div className="flex flex-col gap-4">
        <Clicks shortCode={null} />
      </div>
    </Page>
  );
}
