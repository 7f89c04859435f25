import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation } from "react-router-dom";
import { useConfig } from "../../lib/config.ts";
import { openingTableQuery } from "./opening-table.ts";
import { type Opening, resolveRedirectPage } from "./resolve-redirect-page.ts";

/** What the page does for this visit. Undefined until the strategy table has loaded. */
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
