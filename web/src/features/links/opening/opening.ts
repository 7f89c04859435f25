import { queryOptions, useQuery } from "@tanstack/react-query";
import { parseUserAgent } from "@tapthru/proto/rules/agents/agent";
import { appendVisitorQuery } from "@tapthru/proto/rules/amazon/visitor-query";
import { ESCAPED_PARAMETER } from "@tapthru/proto/rules/app-opening/app-escape";
import { AppOpeningTable, chooseStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { type AppPage, appPage } from "@tapthru/proto/rules/app-opening/app-page";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { type RedirectTarget, redirectTarget } from "@tapthru/proto/rules/app-opening/redirect-target";
import { useMemo } from "react";
import { useLocation } from "react-router-dom";
import { useConfig } from "../../../lib/config.ts";

export type Opening =
  | { kind: "nothing" }
  | { kind: "home" }
  /** Goes to the web page immediately. */
  | { kind: "web"; target: RedirectTarget; webUrl: string }
  /** `isAutomatic`: the page tries to open the app once, when it loads. */
  | { kind: "app"; target: RedirectTarget; page: AppPage; isAutomatic: boolean };

export interface PageVisit {
  /** The page's public URL, without its query string. */
  pageUrl: string;
  /** The query string, with its question mark. */
  search: string;
  userAgent: string;
  maxTouchPoints: number;
  /** Telegram on iOS, which its user agent does not identify. It opens apps only after a tap. */
  isTelegram: boolean;
  table: AppOpeningTable;
}

/** Decides what /redirect does for a visit. It only leads to Amazon or to the start page. */
export function resolveRedirectPage(visit: PageVisit): Opening {
  const { search, table } = visit;
  const params = new URLSearchParams(search);
  if (!params.get("product_id")) return { kind: "nothing" };

  const target = redirectTarget(params);
  if (target === null) return { kind: "home" };

  const isEncoded = !/[?&]original_url=https?:\/\//i.test(search);
  const webUrl = appendVisitorQuery(target.webUrl, search.slice(1), !isEncoded);
  const strategy = chooseStrategy(table, parseUserAgent(visit.userAgent, table.apps, visit.maxTouchPoints));
  if (strategy === null) {
    return params.has("original_url") ? { kind: "web", target, webUrl } : { kind: "home" };
  }
  const page = appPage({
    webUrl,
    marketplace: target.marketplace,
    strategy,
    pageUrl: `${visit.pageUrl}${search}`,
    isEscaped: params.get(ESCAPED_PARAMETER) === "1",
  });
  return { kind: "app", target, page, isAutomatic: strategy.mode === "auto" && !visit.isTelegram };
}

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
