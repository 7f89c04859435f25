import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, Suspense, use, useState } from "react";
import { Toaster } from "../components/ui/toaster.tsx";
import { ShownLinkProvider } from "../features/link-generation/shown-link.tsx";
import { type Config, ConfigContext } from "../lib/config.ts";
import { createQueryClient } from "../lib/query-client.ts";
import { ErrorBoundary } from "./error-boundary.tsx";

interface ProvidersProps {
  config: Promise<Config>;
  children: ReactNode;
}

export function Providers({ config, children }: ProvidersProps) {
  const [queryClient] = useState(createQueryClient);
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <Toaster>
          <ShownLinkProvider>
            <Suspense>
              <ConfigProvider config={config}>{children}</ConfigProvider>
            </Suspense>
          </ShownLinkProvider>
        </Toaster>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}

function ConfigProvider({ config, children }: ProvidersProps) {
  return <ConfigContext value={use(config)}>{children}</ConfigContext>;
}
