import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useContext, useState } from "react";
import { createQueryClient } from "./query-client.ts";
import { QueryScopeContext } from "./query-scope.ts";

/** Provides the application's query client. The first one creates it. */
export function Queries({ children }: { children: ReactNode }) {
  const scope = useContext(QueryScopeContext);
  const [client] = useState(() => {
    scope.client ??= createQueryClient();
    return scope.client;
  });
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
