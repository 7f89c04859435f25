import { messages } from "@tapthru/proto/rules/messages";
import { Component, type ReactNode } from "react";
import { Button } from "../components/ui/button.tsx";
import { PageTitle } from "../components/ui/page-title.tsx";

interface ErrorBoundaryProps {
  /** Renders the error as the whole page, with its own <main>. */
  isWholePage?: boolean;
  children: ReactNode;
}

/** Shows an error page when rendering fails. React logs the error. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    const errorPage = (
      <div className="grid flex-1 place-content-center justify-items-center gap-3 p-6 text-center">
        <PageTitle size="small">{messages.crashTitle}</PageTitle>
        <p className="mb-3 max-w-prose text-muted">{messages.crashText}</p>
        <Button onClick={() => location.reload()}>{messages.reload}</Button>
      </div>
    );
    if (!this.props.isWholePage) return errorPage;
    return <main className="flex min-h-dvh flex-col">{errorPage}</main>;
  }
}
