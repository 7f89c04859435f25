import type { Link } from "@tapthru/proto/links";
import { parseNewDestination } from "@tapthru/proto/rules/amazon/amazon-url";
import { linkErrorMessage } from "@tapthru/proto/rules/link-errors";
import type { ReactNode } from "react";
import * as z from "zod/mini";
import { RepairOffer } from "../../../components/repair-offer.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { EditableField } from "./editable-field.tsx";
import { NewTabLink } from "./new-tab-link.tsx";

interface DestinationCardProps {
  link: Link;
  /** What is said about the tag. */
  children: ReactNode;
}

/** Where a link leads. */
export function DestinationCard({ link, children }: DestinationCardProps) {
  return (
    <Card title="Original URL">
      <EditableField
        link={link}
        pencil="Change destination"
        label="New Amazon link"
        hint="The short link stays the same, and opens this page instead, wherever you shared it."
        type="url"
        schema={destination}
        offer={(pasted, onTake) => <RepairOffer pasted={pasted} onTake={onTake} />}
        textOf={({ originalUrl }) => originalUrl}
        changeOf={(url) => ({ url })}
        failure="Failed to change the destination. Please try again."
        saved="Saved. The short link opens this page now."
        canUndo
      >
        <NewTabLink href={link.invalid ? null : link.webUrl}>{link.originalUrl}</NewTabLink>
      </EditableField>
      {children}
    </Card>
  );
}

const destination = z.string().check((context) => {
  const url = parseNewDestination(context.value);
  if (url.kind === "refused")
    context.issues.push({ code: "custom", input: context.value, message: linkErrorMessage(url) });
});
