import type { QueryClient } from "@tanstack/react-query";
import { createContext } from "react";

/** Holds the application's query client. */
export interface QueryScope {
  /** Undefined until the first component has needed it: TanStack Query is not in the initial bundle. */
  client?: QueryClient;
}

export const QueryScopeContext = createContext<QueryScope>({});
