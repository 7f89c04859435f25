import { useRefreshOfLinks } from "../../features/imports/use-refresh-of-links.ts";
import { PageLinks } from "../../features/link-generation/page-links.tsx";
import { Links } from "../../features/links/links.tsx";
import { paths } from "../paths.ts";

export default function Dashboard() {
  useRefreshOfLinks();
  return (
    <>
      <PageLinks pathOf={paths.link} />
      <Links pathOf={paths.link} createPath={paths.linkCreation} importPath={paths.import} />
    </>
  );
}
