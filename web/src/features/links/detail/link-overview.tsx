import type { Link } from "@tapthru/proto/links";
import { OWNER_TEXTS } from "@tapthru/proto/owner-fields";
import { paths } from "@tapthru/proto/rules/paths";
import { useState } from "react";
import { LinkPicture } from "../../../components/link-picture.tsx";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { ConfirmButton } from "../../../components/ui/dialog.tsx";
import { NewTabLink, PageLink } from "../../../components/ui/links.tsx";
import { May } from "../../../kit/may.tsx";
import { useHost } from "../../../lib/use-host.ts";
import { useChangeLink } from "../fields/change-link.ts";
import { destination, OwnTagOffer } from "../fields/destination.tsx";
import { EditableField } from "../fields/editable-field.tsx";
import { isUsable } from "../link-state.tsx";
import { useDeleteLink } from "../list/delete-links.ts";
import { LinkEarned, LinkTaps } from "../list/link-taps.tsx";
import RepairOffer from "../repair-offer.tsx";
import { HealthCard, hasHealthProblem } from "./health-card.tsx";
import { TagOfLink } from "./link-cards.tsx";

/** The first tab of a link's page: what visitors see, where they go, and how many came. */
export function LinkOverview({ link, onDeleted }: { link: Link; onDeleted: () => void }) {
  const host = useHost();
  // The card stays after a check that found nothing wrong any more.
  const [hadProblem] = useState(hasHealthProblem(link));
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4">
        <p className="flex items-center gap-2 text-sm text-muted tabular-nums">
          <LinkTaps shortCode={link.shortCode} />
          <LinkEarned shortCode={link.shortCode} />
        </p>
        <PageLink
          to={paths.link(link.shortCode, "clicks")}
          className={`${textLinkClass} inline-flex min-h-11 items-center text-sm`}
        >
          Taps and earnings
        </PageLink>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title="Preview">
          <h3 className={`mb-1 ${LABEL}`}>Title</h3>
          <EditableField
            link={link}
            remark={link.title === null ? "Amazon's title is not known yet." : "Visitors see this title."}
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
          <DestinationCard link={link} />
          {isUsable(link) && (hadProblem || hasHealthProblem(link)) && <HealthCard link={link} />}
        </div>
      </div>
      <May call="DELETE /api/links/:id">
        <DeleteButton link={link} onDeleted={onDeleted} />
      </May>
    </>
  );
}

const LABEL = "text-sm text-muted";

function DeleteButton({ link, onDeleted }: { link: Link; onDeleted: () => void }) {
  const { mutate, isPending } = useDeleteLink(link, onDeleted);
  return (
    <ConfirmButton
      label="Delete"
      pendingLabel="Deleting..."
      question="Are you sure you want to delete this link? This action cannot be undone."
      isPending={isPending}
      onConfirm={(close) => mutate(undefined, { onError: close })}
    />
  );
}

function DestinationCard({ link }: { link: Link }) {
  const failure = "Failed to change the link. Please try again.";
  const { mutate } = useChangeLink({ link, failure, onChanged: undefined });
  return (
    <Card title="Original URL">
      <EditableField
        link={link}
        pencil="Change destination"
        label="New Amazon link"
        hint="The short link stays the same, and opens this page instead, wherever you shared it."
        type="url"
        schema={destination}
        offer={(pasted, onTake) => (
          <>
            <RepairOffer pasted={pasted} onTake={([url = ""]) => onTake(url)} />
            <OwnTagOffer link={link} pasted={pasted} onTake={onTake} />
          </>
        )}
        textOf={({ originalUrl }) => originalUrl}
        changeOf={(url) => ({ url })}
        failure="Failed to change the destination. Please try again."
        saved="Saved. The short link opens this page now."
        canUndo
        // A new destination makes the tag the user's own.
        onUndone={({ tagSource }) => tagSource === "channel" && mutate({ tagSource })}
      >
        <NewTabLink href={link.invalid ? null : link.webUrl}>{link.originalUrl}</NewTabLink>
      </EditableField>
      <TagOfLink link={link} />
      <May call="PATCH /api/links/:shortCode">
        <RepairOffer pasted={link.originalUrl} onTake={([url = ""]) => mutate({ url })} />
      </May>
    </Card>
  );
}
