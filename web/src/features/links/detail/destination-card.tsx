import type { Link } from "@tapthru/proto/http/links";
import { parseNewDestination } from "@tapthru/proto/rules/amazon/amazon-url";
import { linkErrorMessage } from "@tapthru/proto/rules/link-errors";
import { messages } from "@tapthru/proto/rules/messages";
import * as z from "zod/mini";
import { Card } from "../../../components/ui/card.tsx";
import { Disclosure } from "../../../components/ui/details.tsx";
import { isUsable } from "../link-state.tsx";
import { EditableField } from "./editable-field.tsx";
import { LinkHistory } from "./link-history.tsx";
import { NewTabLink } from "./new-tab-link.tsx";

/** Where a link leads, with what it led to before. */
export function DestinationCard({ link }: { link: Link }) {
  return (
    <Card title={messages.originalUrl}>
      <EditableField
        link={link}
        pencil={messages.changeDestination}
        label={messages.newDestination}
        hint={messages.newDestinationHint}
        type="url"
        schema={destination}
        initialText=""
        changeOf={(url) => ({ url })}
        failure={messages.failedToChangeDestination}
      >
        <NewTabLink href={link.invalid ? null : link.webUrl}>{link.originalUrl}</NewTabLink>
      </EditableField>
      {isUsable(link) && (
        <div className="mt-3">
          <Disclosure show={messages.showLinkHistory} hide={messages.hideLinkHistory}>
            <LinkHistory shortCode={link.shortCode} />
          </Disclosure>
        </div>
      )}
    </Card>
  );
}

const destination = z.string().check((context) => {
  const url = parseNewDestination(context.value);
  if (url.kind === "refused")
    context.issues.push({ code: "custom", input: context.value, message: linkErrorMessage(url) });
});
