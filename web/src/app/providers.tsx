import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, Suspense, use, useState } from "react";
import { Toaster } from "../components/ui/toaster.tsx";
import { type LoadProvider, providerLoader } from "../features/session/load-provider.ts";
import { SessionProvider } from "../features/session/session-context.tsx";
import { type Config, ConfigContext } from "../lib/config.ts";
import { createQueryClient } from "../lib/http/query-client.ts";

export interface Setup {
  config: Config | Promise<Config>;
  /** Loads the identity provider for a configuration. Tests replace it. */
  identityLoader?: (config: Config) => LoadProvider;
}

interface ProvidersProps extends Setup {
  children: ReactNode;
}

export function Providers({ children, ...setup }: ProvidersProps) {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <Toaster>
        <Suspense>
          <ConfigProvider {...setup}>{children}</ConfigProvider>
        </Suspense>
      </Toaster>
    </QueryClientProvider>
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
