import { messages } from "@tapthru/proto/rules/messages";
import { Component, type ReactNode } from "react";
import { Button } from "../components/ui/button.tsx";

/** React has logged the error by the time this shows. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="grid min-h-dvh place-content-center justify-items-center gap-3 p-6 text-center">
        <h1 className="text-2xl font-semibold tracking-tight">{messages.crashTitle}</h1>
        <p className="mb-3 max-w-prose text-muted">{messages.crashText}</p>
        <Button onClick={() => location.reload()}>{messages.reload}</Button>
      </main>
    );
  }
}
