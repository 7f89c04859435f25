import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../components/ui/page.tsx";
import { EarningsImports } from "../../features/earnings-imports/earnings-imports.tsx";
import { paths } from "../paths.ts";

export default function EarningsImportPage() {
  return (
    <Page title={messages.importReportsTitle} intro={messages.importReportsIntro}>
      <EarningsImports earningsPath={paths.earnings} />
    </Page>
  );
}
