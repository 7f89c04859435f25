import { messages } from "@tapthru/proto/rules/messages";
import * as figureTexts from "@tapthru/proto/rules/messages/earnings-page";
import { buttonClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Page } from "../../components/ui/page.tsx";
import { Earnings } from "../../features/earnings/earnings.tsx";
import { LinkTitleLink } from "../../features/links/link-title-link.tsx";
import { paths } from "../paths.ts";

export default function EarningsPage() {
  return (
    <Page
      title={messages.earnings}
      intro={figureTexts.earningsIntro}
      action={
        <PageLink to={paths.earningsImport} className={buttonClass("outline")}>
          {figureTexts.importReports}
        </PageLink>
      }
    >
      <Earnings
        importPath={paths.earningsImport}
        storesPath={paths.stores}
        renderLink={(shortCode, name) => (
          <LinkTitleLink shortCode={shortCode} name={name} to={paths.link(shortCode)} />
        )}
      />
    </Page>
  );
}
