import { messages } from "@tapthru/proto/rules/messages";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { PageLinks } from "../../features/link-generation/page-links.tsx";
import { Links } from "../../features/links/links.tsx";
import { paths } from "../paths.ts";

export default function Dashboard() {
  return (
    <>
      <PageLinks pathOf={paths.link} />
      <Links pathOf={paths.link} createPath={paths.linkCreation} />
      <p className="mt-8 text-center">
        <PageLink to={paths.import} className={textLinkClass}>
          {messages.importFromElsewhere}
        </PageLink>
      </p>
    </>
  );
}
