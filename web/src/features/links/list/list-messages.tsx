import { SearchX } from "lucide-react";
import { ParcelIcon } from "../../../components/link-picture.tsx";
import { Button, buttonClass } from "../../../components/ui/button.tsx";
import { EmptyState } from "../../../components/ui/empty-state.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import type { ListView } from "./use-list-view.ts";

export function NoLinks({ createPath }: { createPath: string }) {
  return (
    <EmptyState icon={<ParcelIcon className="size-8" />}>
      <p>You haven't created any links yet.</p>
      <PageLink to={createPath} className={buttonClass()}>
        Create your first link
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
        {hasFilters ? "No links match these filters." : `No links match "${q}".`}
      </p>
      <Button variant="outline" onClick={onClear}>
        {hasFilters ? "Clear filters" : "Clear search"}
      </Button>
    </EmptyState>
  );
}
