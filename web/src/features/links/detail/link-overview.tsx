import { useQueryClient } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { OWNER_TEXTS } from "@tapthru/proto/owner-fields";
import { type ReactNode, useState } from "react";
import { LinkPicture } from "../../../components/link-picture.tsx";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { ConfirmButton } from "../../../components/ui/dialog.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
import { useHost } from "../../../lib/use-host.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { isNotFound, linkOptions } from "../get-link.ts";
import { removeCachedLinks } from "../link-cache.ts";
import { isUsable } from "../link-state.tsx";
import { LinkTaps } from "../list/link-taps.tsx";
import { DestinationCard } from "./destination-card.tsx";
import { EditableField } from "./editable-field.tsx";
import { HealthCard, hasHealthProblem } from "./health-card.tsx";

interface LinkOverviewProps {
  link: Link;
  /** What is said about the tag of the destination. */
  tag: ReactNode;
  /** The tab with its clicks and earnings. */
  clicksPath: string;
  onDeleted: () => void;
}

/** The first tab of a link's page: what visitors see, where they go, and how many came. */
export function LinkOverview({ link, tag, clicksPath, onDeleted }: LinkOverviewProps) {
  const host = useHost();
  // The card stays after a check that found nothing wrong any more.
  const [hadProblem] = useState(hasHealthProblem(link));
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4">
        <LinkTaps shortCode={link.shortCode} />
        <PageLink to={clicksPath} className={`${textLinkClass} inline-flex min-h-11 items-center text-sm`}>
          Taps and earnings
        </PageLink>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title="Preview">
          <h3 className={`mb-1 ${LABEL}`}>Title</h3>
          <EditableField
            link={link}
            remark="Visitors see this title."
            pencil="Edit title"
            label="Title"
            schema={OWNER_TEXTS.title.input}
            textOf={({ title }) => title ?? host}
            changeOf={(text) => ({ title: text })}
            failure="Failed to update link title. Please try again."
          >
            <p dir="auto" className="wrap-anywhere">
              {link.title ?? host}
            </p>
          </EditableField>
          <h3 className={`mt-5 mb-2 ${LABEL}`}>Image</h3>
          <LinkPicture src={link.imageUrl} size="large" />
        </Card>
        <div className="flex flex-col gap-4">
          <DestinationCard link={link}>{tag}</DestinationCard>
          {isUsable(link) && (hadProblem || hasHealthProblem(link)) && <HealthCard link={link} />}
        </div>
      </div>
      <DeleteButton link={link} onDeleted={onDeleted} />
    </>
  );
}

const LABEL = "text-sm text-muted";

interface DeleteButtonProps {
  link: Link;
  onDeleted: () => void;
}

function DeleteButton({ link, onDeleted }: DeleteButtonProps) {
  const { mutate, isPending } = useDeleteLink();
  return (
    <ConfirmButton
      label="Delete"
      pendingLabel="Deleting..."
      question="Are you sure you want to delete this link? This action cannot be undone."
      isPending={isPending}
      onConfirm={(close) => mutate(link, { onSuccess: onDeleted, onError: close })}
    />
  );
}

function deleteLink({ id }: Link) {
  const options = { params: { id: String(id) } };
  return callApi("DELETE", "/api/links/:id", options);
}

function useDeleteLink() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();

  return useSingleMutation({
    mutationFn: deleteLink,
    onSuccess(_reply, link) {
      removeCachedLinks(queryClient, [link]);
      toast({ title: "Link deleted", description: "The link has been successfully deleted." });
    },
    onError(error, { shortCode }) {
      showError(isNotFound(error) ? "This link was deleted." : "Failed to delete the link. Please try again.");
      // It may already be deleted.
      queryClient.invalidateQueries({ queryKey: linkOptions(shortCode).queryKey });
      queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
    },
  });
}
