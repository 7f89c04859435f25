import { messages } from "@tapthru/proto/rules/messages";
import { Page } from "../../components/ui/page.tsx";
import { Imports } from "../../features/imports/imports.tsx";
import { paths } from "../paths.ts";

export default function ImportPage() {
  return (
    <Page title={messages.importLinks} intro={messages.importIntro}>
      <Imports linksPath={paths.dashboard} />
    </Page>
  );
}
