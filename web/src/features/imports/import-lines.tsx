import { useInfiniteQuery } from "@tanstack/react-query";
import type { ImportFilter, ImportState } from "@tapthru/proto/http/imports";
import { messages } from "@tapthru/proto/rules/messages";
import { Button } from "../../components/ui/button.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { importLinesOptions } from "./api/get-import.ts";
import { ImportLineRow } from "./import-line-row.tsx";

interface ImportLinesProps {
  id: string;
  state: ImportState;
  show: ImportFilter;
}

export function ImportLines({ id, state, show }: ImportLinesProps) {
  const list = useInfiniteQuery(importLinesOptions(id, state, show));
  const lines = list.data?.pages.flatMap((page) => page.lines) ?? [];
  if (list.isPending) return <Spinner label={messages.loading} />;
  return (
    <div className="flex flex-col gap-4">
      {list.isError && (
        <p role="alert" className="text-danger">
          {messages.importLinesFailed}
        </p>
      )}
      {list.data && lines.length === 0 && <p className="text-muted">{messages.noImportLines}</p>}
      <ol aria-label={messages.importLines} className="divide-y divide-line">
        {lines.map((line) => (
          <ImportLineRow key={line.line} line={line} isCancelled={state === "cancelled"} />
        ))}
      </ol>
      {(list.hasNextPage || list.isError) && (
        <div className="flex justify-center">
          <Button
            variant="quiet"
            aria-disabled={list.isFetching}
            onClick={() => (list.hasNextPage ? list.fetchNextPage() : list.refetch())}
          >
            {list.hasNextPage ? messages.showMoreLinks : messages.tryAgain}
          </Button>
        </div>
      )}
    </div>
  );
}
