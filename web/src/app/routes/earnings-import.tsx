import * as fileTexts from "@tapthru/proto/rules/messages/earnings-files";
import { Page } from "../../components/ui/page.tsx";
import { EarningsImports } from "../../features/earnings-imports/earnings-imports.tsx";
import { paths } from "../paths.ts";

export default function EarningsImportPage() {
  return (
    <Page title={fileTexts.importReportsTitle} intro={fileTexts.importReportsIntro}>
      <EarningsImports earningsPath={paths.earnings} />
    </Page>
  );
}
