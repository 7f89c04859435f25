import type { Link } from "@tapthru/proto/links";
import { OWNER_TEXTS } from "@tapthru/proto/owner-fields";
import { addTag } from "@tapthru/proto/rules/amazon/add-tag";
import { parseNewDestination, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { displayName } from "@tapthru/proto/rules/display-name";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { useHost } from "../../../lib/use-host.ts";
import RepairOffer from "../repair-offer.tsx";
import { type EditableFieldProps, FieldDialog } from "./editable-field.tsx";

/** Offers the link's own tag for a new destination without one. That of a channel follows by itself. */
function OwnTagOffer({ link, pasted, onTake }: { link: Link; pasted: string; onTake: (url: string) => void }) {
  const page = parseStorePage(link.webUrl);
  const next = parseStorePage(pasted);
  const isOfStore = next !== null && next.marketplace === page?.marketplace;
  const tagged = link.tagSource === "own" && page?.tag && isOfStore ? addTag(pasted, page.tag) : null;
  if (!tagged) return null;
  return (
    <div
      role="status"
      className="my-3 grid justify-items-start gap-3 rounded-2xl bg-notice p-4 text-md leading-6 text-notice-ink"
    >
      <p className="text-pretty">This address has no tag, so you would earn nothing from purchases.</p>
      <Button variant="outline" onClick={() => onTake(tagged)}>{`Keep ${page?.tag}`}</Button>
    </div>
  );
}

const destination = z.string().check((context) => {
  const url = parseNewDestination(context.value);
  if (url.kind === "refused") context.issues.push({ code: "custom", input: context.value, message: url.message });
});

export const destinationField = (link: Link) =>
  ({
    link,
    label: "New Amazon link",
    hint: "The short link stays the same, and opens this page instead, wherever you shared it.",
    type: "url",
    schema: destination,
    offer: (pasted, onTake) => (
      <>
        <RepairOffer pasted={pasted} onTake={([url = ""]) => onTake(url)} />
        <OwnTagOffer link={link} pasted={pasted} onTake={onTake} />
      </>
    ),
    textOf: ({ originalUrl }) => originalUrl,
    changeOf: (url) => ({ url }),
  }) satisfies Partial<EditableFieldProps>;

interface LinkDialogProps {
  link: Link;
  field: "name" | "destination";
  onClose: () => void;
}

export const nameField = (link: Link, host: string) =>
  ({
    link,
    label: "Name (only you see it)",
    schema: OWNER_TEXTS.nickname.input,
    textOf: (each) => displayName(each, host),
    changeOf: (nickname) => ({ nickname }),
    failure: "Failed to update link name. Please try again.",
  }) satisfies Partial<EditableFieldProps>;

export function LinkDialog({ link, field, onClose }: LinkDialogProps) {
  const host = useHost();
  return field === "name" ? (
    <FieldDialog title="Rename" {...nameField(link, host)} label="Name, which only you see" onClose={onClose} />
  ) : (
    <FieldDialog title="Change destination" {...destinationField(link)} onClose={onClose} />
  );
}
