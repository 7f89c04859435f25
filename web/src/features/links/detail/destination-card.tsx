import type { Link } from "@tapthru/proto/http/links";
import { parseNewDestination } from "@tapthru/proto/rules/amazon/amazon-url";
import { linkErrorMessage } from "@tapthru/proto/rules/link-errors";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import * as z from "zod/mini";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { isUsable } from "../link-state.tsx";
import { EditableField } from "./editable-field.tsx";
import { LinkHistory } from "./link-history.tsx";
import { NewTabLink } from "./new-tab-link.tsx";

/** Where a link leads, with what it led to before. */
export function DestinationCard({ link }: { link: Link }) {
  const [isHistoryOpen, setHistoryOpen] = useState(false);
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
        <>
          <div className="-ml-5 mt-3">
            <Button
              variant="quiet"
              aria-expanded={isHistoryOpen}
              onClick={() => setHistoryOpen(!isHistoryOpen)}
            >
              {isHistoryOpen ? messages.hideLinkHistory : messages.showLinkHistory}
            </Button>
          </div>
          {isHistoryOpen && <LinkHistory shortCode={link.shortCode} />}
        </>
      )}
    </Card>
  );
}

const destination = z.string().check((context) => {
  const url = parseNewDestination(context.value);
  if (url.kind === "refused")
    context.issues.push({ code: "custom", input: context.value, message: linkErrorMessage(url) });
});
