import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  getImport as GetImport,
  ImportFilter,
  ImportState,
  listImports as ListImports,
} from "@tapthru/proto/http/imports";
import { callApi } from "../../../lib/http/call-api.ts";

const PATH = "/api/imports";
export const IMPORTS_KEY = [PATH];
const PROGRESS_INTERVAL_MS = 1_000;
const LINES_PER_PAGE = 50;

/** Refetched while an import is running, so that progress is shown. */
export const importsOptions = queryOptions({
  queryKey: [...IMPORTS_KEY, "list"],
  queryFn: ({ signal }) => callApi<typeof ListImports>("GET", PATH, { signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state }) =>
    state.data?.some((each) => each.state === "running") ? PROGRESS_INTERVAL_MS : false,
});

/** The lines of an import in one of its states. */
export function importLinesOptions(id: string, state: ImportState, show: ImportFilter) {
  return infiniteQueryOptions({
    queryKey: [...IMPORTS_KEY, id, state, show],
    queryFn: ({ pageParam, signal }) =>
      callApi<typeof GetImport>("GET", "/api/imports/:id", {
        params: { id },
        query: { show, after: String(pageParam), limit: String(LINES_PER_PAGE) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ nextAfter }) => nextAfter,
    placeholderData: keepPreviousData,
  });
}
