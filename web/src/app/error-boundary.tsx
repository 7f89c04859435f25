import { messages } from "@tapthru/proto/rules/messages";
import { Component, type ReactNode, useState } from "react";
import { Button } from "../components/ui/button.tsx";
import { PageTitle } from "../components/ui/page.tsx";
import { usePageTitle } from "../lib/use-page-title.ts";

interface ErrorBoundaryProps {
  /** When it changes, the children are rendered again after an error. Otherwise they keep their state. */
  resetKey?: string;
  /** Renders the error as the whole page, with its own <main>. */
  isWholePage?: boolean;
  children: ReactNode;
}

interface State {
  failed: boolean;
  resetKey?: string | undefined;
}

/** Shows an error page when rendering fails. React logs the error. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failed: false };

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: State): State | null {
    return resetKey === state.resetKey ? null : { failed: false, resetKey };
  }

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    if (!this.props.isWholePage) return <ErrorPage title="Something went wrong" />;
    return (
      <main className="flex min-h-dvh flex-col">
        <ErrorPage title="Something went wrong" />
      </main>
    );
  }
}

/** Offline, a page whose script has not been loaded before cannot be shown. */
export function ErrorPage({ title: failure }: { title: string }) {
  const [isOffline] = useState(() => !navigator.onLine);
  const title = isOffline ? messages.offlineTitle : failure;
  usePageTitle(title);
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 p-6 text-center">
      <PageTitle size="small">{title}</PageTitle>
      <p className="mb-3 max-w-prose text-muted">
        {isOffline ? messages.offlineText : "Please reload the page. If this keeps happening, try again later."}
      </p>
      <Button onClick={() => location.reload()}>{messages.reload}</Button>
    </div>
  );
}
