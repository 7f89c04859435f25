import { Page } from "../../components/ui/page.tsx";
import { LinkImports } from "../../features/imports/links/link-imports.tsx";

export default function ImportPage() {
  return (
    <Page
      title="Import links"
      intro="Bring your links from another service. Nothing is created before you have seen what each line becomes."
    >
      <LinkImports />
    </Page>
  );
}
