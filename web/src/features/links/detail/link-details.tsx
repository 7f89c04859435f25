import { useQueryClient } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/http/links";
import { OWNER_TEXTS } from "@tapthru/proto/http/owner-fields";
import { messages } from "@tapthru/proto/rules/messages";
import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { LinkPicture } from "../../../components/link-picture.tsx";
import { buttonClass } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { ConfirmButton } from "../../../components/ui/dialog.tsx";
import { OutsideLink } from "../../../components/ui/links.tsx";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { LINK_LISTS_KEY } from "../../../lib/link-lists.ts";
import { useDisplayName, useHost } from "../../../lib/use-host.ts";
import { usePageTitle } from "../../../lib/use-page-title.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { isNotFound, linkOptions } from "../get-link.ts";
import { LinkLabels } from "../labels/link-labels.tsx";
import { removeCachedLinks } from "../link-cache.ts";
import { isUsable, LinkNotices } from "../link-state.tsx";
import { DestinationCard } from "./destination-card.tsx";
import { EditableField } from "./editable-field.tsx";
import { LinkHeader } from "./link-header.tsx";
import { ShortLinkCard } from "./short-link-card.tsx";

interface LinkDetailsProps {
  link: Link;
  onDeleted: () => void;
  /** Called with the new short code. */
  onRenamed: (shortCode: string) => void;
  /** Buttons beside the one that opens the link. */
  tools: ReactNode;
  /** A warning below the buttons. */
  warning: ReactNode;
  /** Cards with the clicks. */
  clicks: ReactNode;
  /** Further cards. */
  children: ReactNode;
}

export function LinkDetails({
  link,
  onDeleted,
  onRenamed,
  tools,
  warning,
  clicks,
  children,
}: LinkDetailsProps) {
  const name = useDisplayName(link);
  const host = useHost();
  usePageTitle(name);
  return (
    <div className="@container flex flex-col gap-4">
      <LinkHeader link={link} name={name} />
      <LinkLabels link={link} />
      <LinkNotices link={link} />
      {isUsable(link) && (
        <div className="flex flex-wrap gap-2">
          {tools}
          <OutsideLink
            href={link.shortUrl}
            target="_blank"
            rel="noopener"
            className={buttonClass("outline", "tile")}
          >
            <ExternalLink aria-hidden className="size-4.5" />
            {messages.openShortLink}
          </OutsideLink>
        </div>
      )}
      {warning}
      {clicks}
      <Card title={messages.preview}>
        <h3 className={`mb-1 ${LABEL}`}>{messages.title}</h3>
        <EditableField
          link={link}
          note={messages.titleHint}
          pencil={messages.editTitle}
          label={messages.title}
          schema={OWNER_TEXTS.title.input}
          initialText={link.title ?? host}
          changeOf={(text) => ({ title: text })}
          failure={messages.failedToUpdateTitle}
        >
          <p dir="auto" className="wrap-anywhere">
            {link.title ?? host}
          </p>
        </EditableField>
        <h3 className={`mt-5 mb-2 ${LABEL}`}>{messages.image}</h3>
        <LinkPicture src={link.imageUrl} size="large" />
      </Card>
      <ShortLinkCard link={link} onRenamed={onRenamed} />
      <DestinationCard link={link} />
      {children}
      <DeleteButton link={link} onDeleted={onDeleted} />
    </div>
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
      label={messages.deleteLink}
      pendingLabel={messages.deletingLink}
      question={messages.confirmDelete}
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
      toast({ title: messages.linkDeleted, description: messages.linkDeletedText });
    },
    onError(error, { shortCode }) {
      showError(isNotFound(error) ? messages.linkWasDeleted : messages.failedToDeleteLink);
      // It may already be deleted.
      queryClient.invalidateQueries({ queryKey: linkOptions(shortCode).queryKey });
      queryClient.invalidateQueries({ queryKey: LINK_LISTS_KEY });
    },
  });
}
