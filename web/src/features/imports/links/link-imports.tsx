import { useQuery } from "@tanstack/react-query";
import type { Import } from "@tapthru/proto/imports";
import { useState } from "react";
import { formatMinute } from "../../../lib/dates.ts";
import { formatNumber } from "../../../lib/locale-formats.ts";
import { EarlierImport, Imports } from "../imports.tsx";
import { importsOptions, useRefreshOfLinks } from "./api.ts";
import { DeleteImport } from "./import-actions.tsx";
import { LinkImportForm } from "./link-import-form.tsx";
import { LinkImportView, nameOfImport } from "./link-import-view.tsx";
import { ReadAgain, type SentFile } from "./read-again.tsx";

export function LinkImports() {
  const query = useQuery(importsOptions);
  useRefreshOfLinks();
  const [sent, setSent] = useState<SentFile>();
  const show = (choose: (id: string) => void) => (file: SentFile) => {
    setSent(file);
    choose(file.id);
  };
  return (
    <Imports
      call="POST /api/imports"
      imports={query.data}
      query={query}
      isOpen={({ state }) => state === "running"}
      form={(_, onSent) => <LinkImportForm onSent={show(onSent)} />}
      view={(shown, onNew, onSent) => (
        <LinkImportView key={shown.id} import={shown} onNew={onNew}>
          {shown.state === "ready" && shown.id === sent?.id && (
            <ReadAgain sent={sent} reading={shown.reading} onSent={show(onSent)} />
          )}
        </LinkImportView>
      )}
      item={(each, onShow) => <EarlierLinkImport key={each.id} import={each} onShow={onShow} />}
    />
  );
}

const STATES = {
  ready: "not started",
  running: "running",
  finished: "finished",
  cancelled: "cancelled",
} as const;

function EarlierLinkImport({ import: each, onShow }: { import: Import; onShow: () => void }) {
  const { id, createdAt, state, counts } = each;
  return (
    <EarlierImport
      name={nameOfImport(each)}
      details={[formatMinute(createdAt), STATES[state], `links created: ${formatNumber(counts.created)}`]}
      onShow={onShow}
      removal={
        state !== "running" && (
          <DeleteImport
            id={id}
            label="Delete"
            question="Delete this import from the list? Its links stay, but its result can't be downloaded any more."
          />
        )
      }
    />
  );
}
