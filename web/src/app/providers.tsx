import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, Suspense, use, useState } from "react";
import { Toaster } from "../components/ui/toaster.tsx";
import { LinkShownProvider } from "../features/link-generation/link-shown.tsx";
import { type LoadProvider, providerLoader } from "../features/session/load-provider.ts";
import { SessionProvider } from "../features/session/session-context.tsx";
import { type Config, ConfigContext } from "../lib/config.ts";
import { createQueryClient } from "../lib/http/query-client.ts";
import { ErrorBoundary } from "./error-boundary.tsx";

interface ProvidersProps {
  config: Config | Promise<Config>;
  /** Loads the identity provider for a configuration. Tests replace it. */
  identityLoader?: (config: Config) => LoadProvider;
  children: ReactNode;
}

export function Providers({ children, ...rest }: ProvidersProps) {
  const [queryClient] = useState(createQueryClient);
  return (
    <ErrorBoundary isWholePage>
      <QueryClientProvider client={queryClient}>
        <Toaster>
          <LinkShownProvider>
            <Suspense>
              <ConfigProvider {...rest}>{children}</ConfigProvider>
            </Suspense>
          </LinkShownProvider>
        </Toaster>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}

function ConfigProvider({ config: loading, identityLoader = providerLoader, children }: ProvidersProps) {
  const config = loading instanceof Promise ? use(loading) : loading;
  const [loadProvider] = useState(() => identityLoader(config));
  return (
    <ConfigContext value={config}>
      <SessionProvider loadProvider={loadProvider}>{children}</SessionProvider>
    </ConfigContext>
  );
}
