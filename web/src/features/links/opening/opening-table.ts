import { queryOptions, useQuery } from "@tanstack/react-query";
import { AppOpeningTable } from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { useMemo } from "react";
import { useLocation } from "react-router-dom";
import { useConfig } from "../../../lib/config.ts";
import { type Opening, resolveRedirectPage } from "./resolve-redirect-page.ts";

/** Short, because the visitor is waiting for the app to open. */
const TIMEOUT_MS = 1_000;

async function getOpeningTable(): Promise<AppOpeningTable> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch("/app-opening.json", { signal });
    return AppOpeningTable.parse(await response.json());
  } catch (error) {
    console.warn("Using the built-in strategy table:", error);
    return BUILT_IN_OPENING_TABLE;
  }
}

export const openingTableQuery = queryOptions({
  queryKey: ["/app-opening.json"],
  queryFn: getOpeningTable,
});

/** Decides what the page does for this visit. Undefined until the strategy table has loaded. */
export function useOpening(): Opening | undefined {
  const { pathname, search } = useLocation();
  const { publicBaseUrl } = useConfig();
  const { data: table } = useQuery(openingTableQuery);

  return useMemo(
    () =>
      table &&
      resolveRedirectPage({
        pageUrl: `${publicBaseUrl}${pathname}`,
        search,
        userAgent: navigator.userAgent,
        maxTouchPoints: navigator.maxTouchPoints,
        isTelegram: "TelegramWebviewProxy" in globalThis,
        table,
      }),
    [publicBaseUrl, pathname, search, table],
  );
}
