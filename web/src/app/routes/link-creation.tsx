import { LINKS_AT_ONCE_MAX } from "@tapthru/proto/rules/limits";
import { Suspense, useId } from "react";
import { useNavigate } from "react-router-dom";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { Page } from "../../components/ui/page.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { BatchPanel } from "../../features/link-generation/batch/batch-panel.ts";
import { useLinkBatch } from "../../features/link-generation/batch/use-link-batch.ts";
import { ChannelOfLinks } from "../../features/link-generation/channel-of-links.tsx";
import { DomainChoice } from "../../features/link-generation/domain-choice.tsx";
import { LINK_IN_PROGRESS, LinkField } from "../../features/link-generation/link-field.tsx";
import { useSetLinkShown } from "../../features/link-generation/link-shown.tsx";
import { useNewLinks } from "../../features/link-generation/new-links.ts";
import { SlugField, useSlugField } from "../../features/link-generation/slug-field.tsx";
import { useCreateLinkOnce } from "../../features/link-generation/use-create-link-once.ts";
import { useCreatedToast } from "../../features/link-generation/use-created-toast.ts";
import { usePrefilledLink } from "../../features/link-generation/use-prefilled-link.ts";
import { paths } from "../paths.ts";

export default function LinkCreation() {
  const navigate = useNavigate();
  const showCreated = useCreatedToast();
  const showError = useErrorToast();
  const formId = useId();
  const batch = useLinkBatch();
  const prefilled = usePrefilledLink();
  const newLinks = useNewLinks();
  const name = useSlugField(newLinks.domain);
  useSetLinkShown(batch.links.length > 0);
  const { isPending, error, clearError, create } = useCreateLinkOnce({
    requestLink: name.requestLink,
    showsError: name.showRefusal,
    async onGenerated(link) {
      if (await prefilled.copy(link)) return;
      showCreated(link);
    },
    // Replaces the form in the history, so that going back skips it.
    onReady: ({ shortCode }) => navigate(paths.link(shortCode), { replace: true }),
  });

  return (
    <Page
      layout="airy"
      title="Create New Link"
      intro={
        <>
          {`You can paste up to ${LINKS_AT_ONCE_MAX} links at once.`}{" "}
          <PageLink to={paths.share} className={textLinkClass}>
            Create links from the Amazon app
          </PageLink>
        </>
      }
    >
      <ChannelOfLinks newLinks={newLinks} />
      <LinkField
        placeholder="Paste your Amazon link here..."
        formId={formId}
        pending={isPending || batch.isRunning}
        replacement={prefilled.text}
        hasButton={prefilled.text !== undefined}
        isFocusedFirst={prefilled.text === undefined}
        error={error}
        onLink={(url) => name.isUsable() && create(url, newLinks.now())}
        onLinks={(addresses) => {
          if (isPending) return showError(LINK_IN_PROGRESS);
          name.showUnused();
          batch.add(addresses, newLinks.now());
        }}
        onEdit={clearError}
      />
      <DomainChoice newLinks={newLinks} />
      <SlugField name={name} formId={formId} pending={isPending} hasButton={prefilled.text === undefined} />
      {batch.lines.length > 0 && (
        <div className="mt-4">
          <Suspense>
            <BatchPanel batch={batch} pathOf={paths.link} />
          </Suspense>
        </div>
      )}
    </Page>
  );
}
