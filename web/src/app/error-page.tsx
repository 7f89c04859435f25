import { useState } from "react";
import { Button } from "../components/ui/button.tsx";
import { PageTitle } from "../components/ui/page.tsx";
import { usePageTitle } from "../lib/use-page-title.ts";

/** Offline, a page whose script has not been loaded before cannot be shown. */
export function ErrorPage({ title: failure = "Something went wrong" }: { title?: string }) {
  const [isOffline] = useState(() => !navigator.onLine);
  const title = isOffline ? "You're offline" : failure;
  usePageTitle(title);
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 p-6 text-center">
      <PageTitle size="small">{title}</PageTitle>
      <p className="mb-3 max-w-prose text-muted">
        {isOffline
          ? "Check your internet connection, then reload the page."
          : "Please reload the page. If this keeps happening, try again later."}
      </p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  );
}
