import { messages } from "@tapthru/proto/rules/messages";
import { SearchX } from "lucide-react";
import { ParcelIcon } from "../../components/parcel-icon.tsx";
import { Button } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";

export function NoLinks() {
  return (
    <EmptyState icon={<ParcelIcon className="size-8" />}>
      <p>{messages.noLinks}</p>
    </EmptyState>
  );
}

export function NoMatch({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <EmptyState icon={<SearchX aria-hidden className="size-8" />}>
      <p role="status" className="wrap-anywhere">
        {messages.noLinksMatch(search)}
      </p>
      <Button variant="outline" onClick={onClear}>
        {messages.clearSearch}
      </Button>
    </EmptyState>
  );
}
