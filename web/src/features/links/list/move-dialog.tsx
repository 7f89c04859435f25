import { LINKS_MOVE_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { DomainSelect, useDomainChoice } from "../../../components/domain-select.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { BulkDialog, type BulkDialogProps } from "./bulk-dialog.tsx";

/** Moves links to a domain, each with its name. */
export function MoveDialog(props: BulkDialogProps) {
  const domains = useDomainChoice();
  const domain = domains.value ?? null;
  return (
    <BulkDialog
      {...props}
      texts={{
        title: messages.moveLinks(props.links.length),
        action: messages.move,
        pending: messages.movingLinks,
        done: messages.linksMoved,
        failed: messages.failedToMoveLinks,
        refused: messages.linksNotMoved,
      }}
      maxCount={LINKS_MOVE_MAX_COUNT}
      change={(ids) => callApi("PUT", "/api/links/bulk/domain", { body: { ids, domain } })}
    >
      <p className="mb-4 leading-6 text-pretty text-muted">{messages.moveLinksText}</p>
      <DomainSelect {...domains} label={messages.domain} />
    </BulkDialog>
  );
}
