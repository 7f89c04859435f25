import { Page } from "../../../components/ui/page.tsx";
import { System } from "../../../features/operator-system/system.tsx";

export default function SystemPage() {
  return (
    <Page layout="section" title="System" intro="What fails, and what is off. It is updated every ten seconds.">
      <System />
    </Page>
  );
}
