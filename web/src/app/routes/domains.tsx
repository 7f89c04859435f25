import { Page } from "../../components/ui/page.tsx";
import { Domains } from "../../features/domains/domains.tsx";
import { useConfig } from "../../lib/config.ts";
import NotFound from "./not-found.tsx";

export default function DomainsPage() {
  const { hasDomains } = useConfig();
  if (!hasDomains) return <NotFound />;
  return (
    <Page layout="section" title="Own domains">
      <Domains />
    </Page>
  );
}
