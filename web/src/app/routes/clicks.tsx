import { Page } from "../../components/ui/page.tsx";
import { Clicks } from "../../features/clicks/clicks.tsx";
import { LinkTitleLink } from "../../features/links/link-title-link.tsx";
import { paths } from "../paths.ts";

export default function ClicksPage() {
  return (
    <Page title="Clicks">
      <div className="flex flex-col gap-4">
        <Clicks
          shortCode={null}
          renderLink={(shortCode) => <LinkTitleLink shortCode={shortCode} to={paths.link(shortCode)} />}
        />
      </div>
    </Page>
  );
}
