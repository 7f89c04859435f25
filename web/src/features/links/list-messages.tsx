import { messages } from "@tapthru/proto/rules/messages";
import { CircleAlert, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { ParcelIcon } from "../../components/parcel-icon.tsx";
import { Button } from "../../components/ui/button.tsx";

export function NoLinks() {
  return (
    <Message icon={<ParcelIcon className="size-8" />}>
      <p>{messages.noLinks}</p>
    </Message>
  );
}

export function LoadingFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <Message icon={<CircleAlert aria-hidden className="size-8 text-danger" />}>
      <p role="alert">{messages.errorLoadingLinks}</p>
      <Button variant="outline" onClick={() => onRetry()}>
        {messages.tryAgain}
      </Button>
    </Message>
  );
}

export function NoMatch({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <Message icon={<SearchX aria-hidden className="size-8" />}>
      <p role="status" className="wrap-anywhere">
        {messages.noLinksMatch(search)}
      </p>
      <Button variant="outline" onClick={onClear}>
        {messages.clearSearch}
      </Button>
    </Message>
  );
}

function Message({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-5 rounded-2xl border border-dashed border-line px-6 py-16 text-center text-muted">
      {icon}
      {children}
    </div>
  );
}
