import { messages } from "@tapthru/proto/rules/messages";
import { useRefreshOfLinks } from "../../features/imports/use-refresh-of-links.ts";
import { PageLinks } from "../../features/link-generation/page-links.tsx";
import { Links } from "../../features/links/list/links.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { paths } from "../paths.ts";

export default function Dashboard() {
  // The page may have said before that the account cannot be reached.
  usePageTitle(messages.yourLinks);
  useRefreshOfLinks();
  return (
    <>
      <PageLinks pathOf={paths.link} />
      <Links pathOf={paths.link} createPath={paths.linkCreation} importPath={paths.import} />
    </>
  );
}
