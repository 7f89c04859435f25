import { messages } from "@tapthru/proto/rules/messages";
import { useNavigate } from "react-router-dom";
import { PageTitle } from "../../components/ui/page-title.tsx";
import { useToast } from "../../components/ui/toaster.tsx";
import { LinkField } from "../../features/link-generation/link-field.tsx";
import { useCreateLinkOnce } from "../../features/link-generation/use-create-link-once.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { paths } from "../paths.ts";

export default function LinkCreation() {
  usePageTitle(messages.createNewLink);
  const navigate = useNavigate();
  const toast = useToast();
  const { isPending, error, clearError, create } = useCreateLinkOnce({
    onGenerated: () =>
      toast({ title: messages.linkGenerated, description: messages.redirectingToDetails }),
    // Replaces the form in the history, so that going back skips it.
    onReady: ({ shortCode }) => navigate(paths.link(shortCode), { replace: true }),
  });

  return (
    <div className="mx-auto w-full max-w-2xl px-4 pt-8 pb-16 sm:px-6 sm:pt-20">
      <div className="mb-7 sm:mb-10">
        <PageTitle>{messages.createNewLink}</PageTitle>
      </div>
      <LinkField
        placeholder={messages.linkPlaceholder}
        pending={isPending}
        error={error}
        onLink={create}
        onEdit={clearError}
      />
    </div>
  );
}
