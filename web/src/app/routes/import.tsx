import { Page } from "../../components/ui/page.tsx";
import { Imports } from "../../features/imports/imports.tsx";
import { paths } from "../paths.ts";

export default function ImportPage() {
  return (
    <Page
      title="Import links"
      intro="Bring your links from another service. Nothing is created before you have seen what each line becomes."
    >
      <Imports linksPath={paths.dashboard} />
    </Page>
  );
}
