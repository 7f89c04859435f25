import { paths } from "@tapthru/proto/rules/paths";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Page } from "../../components/ui/page.tsx";
import { useToast } from "../../components/ui/toaster.tsx";
import { Composer } from "../../features/links/create/composer.tsx";
import type { CreatedLink } from "../../features/links/create/create-link.ts";
import { isMissingMetadata, useCreateLink, useMetadataRetry } from "../../features/links/create/use-create-links.ts";
import { usePrefilledLink } from "../../features/links/create/use-prefilled-link.ts";

export default function LinkCreation() {
  const navigate = useNavigate();
  const toast = useToast();
  const prefilled = usePrefilledLink();
  const [incomplete, setIncomplete] = useState<CreatedLink>();
  const one = useCreateLink(async (link) => {
    if (!(await prefilled.copy(link)))
      toast({ title: "Link generated!", description: "Redirecting to link details..." });
    if (isMissingMetadata(link)) setIncomplete(link);
    else open(link);
  }, prefilled.begin);
  useMetadataRetry(incomplete, open);

  function open({ shortCode }: CreatedLink) {
    one.links.clear((line) => line.link?.shortCode === shortCode);
    // Replaces the form in the history, so that going back skips it.
    navigate(paths.link(shortCode), { replace: true });
  }

  return (
    <Page
      title="Create New Link"
      intro={
        <>
          You can paste many links at once.{" "}
          <PageLink to={paths.share} className={textLinkClass}>
            Create links from the Amazon app
          </PageLink>
        </>
      }
    >
      <Composer
        links={one.links}
        one={one}
        placeholder="Paste your Amazon link here..."
        prefilled={prefilled.text}
        pending={one.line?.link !== undefined}
        isFocusedFirst={prefilled.text === undefined}
        options="shown"
        pathOf={paths.link}
      />
    </Page>
  );
}
