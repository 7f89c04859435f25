import type { Import, ImportFilter } from "@tapthru/proto/http/imports";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { Card } from "../../components/ui/card.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { useConfig } from "../../lib/config.ts";
import { formatNumber } from "../../lib/locale-formats.ts";
import { ImportActions } from "./import-actions.tsx";
import { ImportLines } from "./import-lines.tsx";
import { ImportProgress } from "./import-progress.tsx";

interface ImportViewProps {
  import: Import;
  linksPath: string;
  /** Shows the form for another file. */
  onNew: () => void;
}

/** What the lines of a file will become, or became. */
export function ImportView({ import: shown, linksPath, onNew }: ImportViewProps) {
  const { productName } = useConfig();
  const [show, setShow] = useState<ImportFilter>("all");
  const { id, state, format, fileName, counts } = shown;
  return (
    <Card title={fileName ?? messages.pastedAddresses}>
      <div className="flex flex-col gap-5">
        <p className="text-md text-pretty text-muted">
          {messages.recognisedAs(messages.importFormatNames[format](productName))}
        </p>
        <ImportProgress import={shown} />
        <ImportActions import={shown} linksPath={linksPath} onNew={onNew} />
        <ChoiceBar
          legend={messages.filterImportLines}
          isLegendHidden
          choices={FILTERS.map((filter) => [
            filter,
            `${messages.importFilters[filter]} (${formatNumber(countOf(filter, counts))})`,
          ])}
          value={show}
          onChange={setShow}
        />
        <ImportLines id={id} state={state} show={show} />
      </div>
    </Card>
  );
}

const FILTERS = ["all", "links", "replaced", "refused"] as const;

function countOf(filter: ImportFilter, { lines, ...counts }: Import["counts"]): number {
  return filter === "all" ? lines : counts[filter];
}
