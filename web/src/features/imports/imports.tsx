import { paths } from "@tapthru/proto/rules/paths";
import { TabLinks } from "../../components/ui/tab-links.tsx";

export function ImportTabs() {
  return (
    <TabLinks
      label="What to import"
      tabs={[
        { to: paths.import, name: "Links" },
        { to: paths.earningsImport, name: "Amazon's reports" },
      ]}
    />
  );
}
