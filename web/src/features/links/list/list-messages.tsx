import { messages } from "@tapthru/proto/rules/messages";
import { SearchX } from "lucide-react";
import { ParcelIcon } from "../../../components/link-picture.tsx";
import { Button, buttonClass } from "../../../components/ui/button.tsx";
import { EmptyState } from "../../../components/ui/empty-state.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import type { ListView } from "./use-list-view.ts";

export function NoLinks({ createPath }: { createPath: string }) {
  return (
    <EmptyState icon={<ParcelIcon className="size-8" />}>
      <p>{messages.noLinks}</p>
      <PageLink to={createPath} className={buttonClass()}>
        {messages.createFirstLink}
      </PageLink>
    </EmptyState>
  );
}

interface NoMatchProps {
  view: ListView;
  /** Clears search and filters. */
  onClear: () => void;
}

export function NoMatch({ view: { q, store, show, label }, onClear }: NoMatchProps) {
  const hasFilters = store !== null || show !== null || label !== null;
  return (
    <EmptyState icon={<SearchX aria-hidden className="size-8" />}>
      <p role="status" className="wrap-anywhere">
        {hasFilters ? messages.noLinksMatchFilters : messages.noLinksMatch(q)}
      </p>
      <Button variant="outline" onClick={onClear}>
        {hasFilters ? messages.clearFilters : messages.clearSearch}
      </Button>
    </EmptyState>
  );
}
