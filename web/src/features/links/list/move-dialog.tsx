import { LINKS_MOVE_MAX_COUNT } from "@tapthru/proto/rules/limits";
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
        title: props.links.length === 1 ? "Domain of 1 link" : `Domain of ${props.links.length} links`,
        action: "Move",
        pending: "Moving...",
        done: "The links were moved.",
        failed: "The links could not be moved. Please try again.",
        refused: (count: number) =>
          `${count === 1 ? "1 link was" : `${count} links were`} not moved: another link has the name there, or ${count === 1 ? "it cannot be changed" : "they cannot be changed"}.`,
      }}
      maxCount={LINKS_MOVE_MAX_COUNT}
      change={(ids) => callApi("PUT", "/api/links/bulk/domain", { body: { ids, domain } })}
    >
      <p className="mb-4 leading-6 text-pretty text-muted">
        The links keep their names, and open under their earlier addresses too.
      </p>
      <DomainSelect {...domains} label="Domain" />
    </BulkDialog>
  );
}
