import { Page } from "../../components/ui/page.tsx";
import { EarningsImports } from "../../features/earnings-imports/earnings-imports.tsx";
import { paths } from "../paths.ts";

export default function EarningsImportPage() {
  return (
    <Page
      title="Import Amazon's reports"
      intro="In Amazon's Associates Central, open Reports and download them. Nothing counts before you have seen what the file has."
    >
      <EarningsImports earningsPath={paths.earnings} />
    </Page>
  );
}
