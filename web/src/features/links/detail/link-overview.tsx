import { imageUrl } from "@tapthru/proto/fields";
import type { Link } from "@tapthru/proto/links";
import { OWNER_TEXTS } from "@tapthru/proto/owner-fields";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { useState } from "react";
import { LinkPicture } from "../../../components/link-picture.tsx";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { useOpenForm } from "../../../components/ui/form.tsx";
import { NewTabLink } from "../../../components/ui/links.tsx";
import { Action } from "../../../kit/action.tsx";
import { Can, usePermission } from "../../../kit/can.tsx";
import { optionalText, textOrNull } from "../../../lib/optional-text.ts";
import { useHost } from "../../../lib/use-host.ts";
import { findChannel, useChannels } from "../../channels/index.ts";
import { useChangeLink } from "../fields/change-link.ts";
import { EditableField, type EditableFieldProps } from "../fields/editable-field.tsx";
import { destinationField } from "../fields/link-fields.tsx";
import { isUsable } from "../link-state.tsx";
import { useRestoration } from "../list/delete-links.ts";
import RepairOffer from "../repair-offer.tsx";
import { HealthCard, hasHealthProblem } from "./health-card.tsx";
import { TagOfLink } from "./link-cards.tsx";
import { ReplaceProduct } from "./replace-product.tsx";

type LinkOverviewProps = Pick<EditableFieldProps, "link" | "children"> & { onDeleted: () => void };

export function LinkOverview({ link, children, onDeleted }: LinkOverviewProps) {
  const host = useHost();
  const restore = useRestoration();
  // The card stays after a check that found nothing wrong any more.
  const [hadProblem] = useState(hasHealthProblem(link));
  const destinationForm = useOpenForm();
  return (
    <>
      <Sentence link={link} destination={destinationForm.button} />
      {children}
      <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-2">
        <Card title="Preview">
          <div className="flex flex-wrap items-start gap-4">
            <div>
              <h3 className={`mb-1 ${LABEL}`}>Image</h3>
              <EditableField
                link={link}
                className="flex-wrap"
                pencil="Edit image"
                label="Address of the image"
                hint="Copy the address of an image on Amazon's page. Leave it empty for the first one there."
                type="url"
                schema={imageText}
                textOf={(each) => each.imageUrl ?? ""}
                changeOf={(text) => ({ imageUrl: textOrNull(text) })}
              >
                <LinkPicture src={link.imageUrl} size="large" />
              </EditableField>
            </div>
            <div className="min-w-0 flex-1 basis-40">
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
            </div>
          </div>
        </Card>
        <div className="flex flex-col gap-4">
          <DestinationCard link={link} form={destinationForm} />
          {isUsable(link) && (hadProblem || hasHealthProblem(link)) && <HealthCard link={link} />}
        </div>
      </div>
      <Action
        call="DELETE /api/links/:id"
        input={{ params: { id: String(link.id) }, keepalive: true }}
        label="Delete"
        question="Are you sure you want to delete this link? This action cannot be undone."
        variant="remove"
        done={DELETED}
        gone={DELETED}
        failed="Failed to delete the link. Please try again."
        undo={() => () => restore([link.id])}
        isLast
        onDone={onDeleted}
      />
    </>
  );
}

const DELETED = { title: "Link deleted", description: "The link has been successfully deleted." };
const LABEL = "text-sm text-muted";
const imageText = optionalText(imageUrl);

interface SentenceProps {
  link: Link;
  destination: ReturnType<typeof useOpenForm>["button"];
}

/** Says where the link leads and whose tag it has. What can be changed can be clicked; a tag with a warning is open. */
function Sentence({ link, destination: { onClick: changeDestination } }: SentenceProps) {
  const may = usePermission("PATCH /api/links/:shortCode") && isUsable(link);
  const channel = findChannel(useChannels(), link.channelId);
  const tags = useOpenForm();
  const page = parseStorePage(link.webUrl);
  if (page === null || link.invalid) return null;
  const { host, pathname } = new URL(link.webUrl);
  const part = (text: string, button: Partial<typeof tags.button>) =>
    may ? (
      <button type="button" {...button} className={`${textLinkClass} text-start wrap-anywhere`}>
        {text}
      </button>
    ) : (
      <span className="wrap-anywhere">{text}</span>
    );
  const { ref, ...opening } = tags.button;
  const isWarned = may && !["sound", "attribution", "none"].includes(tagHealth(page).kind);
  return (
    <div>
      <p className="text-lg leading-8 text-pretty">
        Opens {part(host.replace(/^www\./, "") + pathname, { onClick: changeDestination })} {page.tag ? "with " : ""}
        {part(page.tag ?? "without a tag", tags.button)}
        {page.tag && (
          // It keeps its space until the channel is known.
          <span className={channel ? "" : "invisible"}>
            , {part(TAG_SOURCES[link.hasUnknownTag ? "unknown" : link.tagSource](channel?.name ?? "Main"), opening)}
          </span>
        )}
        .
      </p>
      {(tags.isOpen || isWarned) && <TagOfLink link={link} />}
    </div>
  );
}

const TAG_SOURCES = {
  unknown: () => "which is not one of your tags",
  own: (channel: string) => `its own tag, in the channel ${channel}`,
  channel: (channel: string) => `the tag of ${channel}`,
};

function DestinationCard({ link, form }: Required<Pick<EditableFieldProps, "link" | "form">>) {
  const { change } = useChangeLink(link);
  return (
    <Card title="Original URL">
      <EditableField
        form={form}
        pencil="Change destination"
        {...destinationField(link)}
        saved="Saved. The short link opens this page now."
        // A new destination makes the tag the user's own.
        undo={({ originalUrl, tagSource }) => ({ url: originalUrl, ...(tagSource === "channel" && { tagSource }) })}
      >
        <NewTabLink href={link.invalid ? null : link.webUrl}>{link.originalUrl}</NewTabLink>
      </EditableField>
      <Can call="PATCH /api/links/:shortCode">
        <RepairOffer pasted={link.originalUrl} onTake={([url = ""]) => change({ url })} />
      </Can>
      {isUsable(link) && <ReplaceProduct link={link} />}
    </Card>
  );
}
