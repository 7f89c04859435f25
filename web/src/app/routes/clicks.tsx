import { Page } from "../../components/ui/page.tsx";
import { Clicks } from "../../features/clicks/clicks.tsx";
import { SharedPages } from "../../features/shared-pages/shared-pages.tsx";

export default function ClicksPage() {
  return (
    <Page title="Clicks">
      <div className="flex flex-col gap-4">
        <Clicks shortCode={null} />
        <SharedPages />
      </div>
    </Page>
  );
}
