import type { Link } from "@tapthru/proto/http/links";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { LinkRouting } from "./link-routing.tsx";

/** Whether visitors of a link to a product are sent to their own store. */
export function LinkRoutingCard({ link }: { link: Link }) {
  const [isOpen, setOpen] = useState(false);
  if (parseStorePage(link.webUrl)?.kind !== "product") return null;
  return (
    <Card title={messages.routing}>
      <p className="leading-6 text-pretty text-muted">{messages.routingText}</p>
      <div className="-ml-5 mt-1">
        <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? messages.hideRouting : messages.changeRouting}
        </Button>
      </div>
      {isOpen && <LinkRouting shortCode={link.shortCode} />}
    </Card>
  );
}
