import type { Link } from "@tapthru/proto/links";
import { addTag } from "@tapthru/proto/rules/amazon/add-tag";
import { parseNewDestination, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import RepairOffer from "../repair-offer.tsx";
import type { EditableFieldProps } from "./editable-field.tsx";

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

/** The field of a link's destination, for its page and the list. */
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
    failure: "Failed to change the destination. Please try again.",
  }) satisfies Partial<EditableFieldProps>;
