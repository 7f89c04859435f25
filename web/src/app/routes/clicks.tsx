import { Clicks } from "../../features/clicks/clicks.tsx";
import { Funnel } from "../../features/earnings/funnel.tsx";
import { SharedPages } from "../../features/shared-pages/shared-pages.tsx";

export default function ClicksPage() {
  return (
    <div className="flex flex-col gap-4">
      <Clicks shortCode={null} aside={(scope) => <Funnel {...scope} />} />
      <SharedPages />
    </div>
  );
}
