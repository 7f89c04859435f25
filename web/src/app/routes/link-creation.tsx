import { messages } from "@tapthru/proto/rules/messages";
import { Suspense } from "react";
import { useNavigate } from "react-router-dom";
import { PageTitle } from "../../components/ui/page-title.tsx";
import { useToast } from "../../components/ui/toaster.tsx";
import { BatchPanel } from "../../features/link-generation/batch/batch-panel.ts";
import { useLinkBatch } from "../../features/link-generation/batch/use-link-batch.ts";
import { LinkField } from "../../features/link-generation/link-field.tsx";
import { useSetShownLinks } from "../../features/link-generation/shown-links.tsx";
import { useCreateLinkOnce } from "../../features/link-generation/use-create-link-once.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { paths } from "../paths.ts";

export default function LinkCreation() {
  usePageTitle(messages.createNewLink);
  const navigate = useNavigate();
  const toast = useToast();
  const batch = useLinkBatch();
  useSetShownLinks(batch.links);
  const { isPending, error, clearError, create } = useCreateLinkOnce({
    onGenerated: () =>
      toast({ title: messages.linkGenerated, description: messages.redirectingToDetails }),
    // Replaces the form in the history, so that going back skips it.
    onReady: ({ shortCode }) => navigate(paths.link(shortCode), { replace: true }),
  });

  return (
    <div className="mx-auto w-full max-w-page px-4 pt-8 pb-16 sm:px-6 sm:pt-20">
      <div className="mb-7 sm:mb-10">
        <PageTitle>{messages.createNewLink}</PageTitle>
        <p className="mt-2 text-muted">{messages.severalLinksHint}</p>
      </div>
      <LinkField
        placeholder={messages.linkPlaceholder}
        pending={isPending || batch.isRunning}
        error={error}
        onLink={create}
        onLinks={(addresses) => !isPending && batch.add(addresses)}
        onEdit={clearError}
      />
      {batch.lines.length > 0 && (
        <div className="mt-4">
          <Suspense>
            <BatchPanel batch={batch} pathOf={paths.link} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
