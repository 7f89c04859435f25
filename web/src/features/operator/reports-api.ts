import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReportedLink } from "@tapthru/proto/operator/reports";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";

const REPORT_DECIDED = {
  "taken-down": (code: string) => `${code} was taken down. Visitors see that it no longer works.`,
  dismissed: (code: string) => `The reports of ${code} were dismissed.`,
  open: (code: string) => `The reports of ${code} are open again.`,
};

const path = "/api/operator/reports";
export const REPORT_VIEWS = ["open", "decided"] as const;
type ReportView = (typeof REPORT_VIEWS)[number];

interface Reports {
  links: ReportedLink[];
  openCount: number;
}

export const reportsOptions = (view: ReportView) =>
  queryOptions({
    queryKey: [path, view],
    async queryFn({ signal, client, queryKey }) {
      const fresh = await callApi("GET", path, { query: { state: view }, signal });
      const shown = client.getQueryData<Reports>(queryKey)?.links ?? [];
      return { ...fresh, links: mergeReports(shown, fresh.links, view) };
    },
    ...SETTINGS_QUERY,
    refetchInterval: 30_000,
    // A list that is opened again has only the links of its view.
    gcTime: 0,
  });

/** The fresh list, and those of the shown list that the operator has just decided about. None of them moves. */
export function mergeReports(
  shown: readonly ReportedLink[],
  fresh: readonly ReportedLink[],
  view: ReportView,
): ReportedLink[] {
  const freshLinks = new Map(fresh.map((link) => [link.shortCode, link]));
  const isDecidedHere = ({ state }: ReportedLink) => (state === "open") !== (view === "open");
  const kept = shown.flatMap((link) => {
    const current = freshLinks.get(link.shortCode) ?? (isDecidedHere(link) ? link : null);
    freshLinks.delete(link.shortCode);
    return current ?? [];
  });
  return [...kept, ...freshLinks.values()];
}

/** Decides about a reported link, which can be undone in the toast. */
export function useDecideReports(shortCode: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const { mutate, isPending } = useMutation({
    mutationFn: (state: ReportedLink["state"]) =>
      callApi("PUT", "/api/operator/reports/:shortCode", {
        params: { shortCode },
        body: { state },
      }),
    onSuccess(decided) {
      queryClient.setQueriesData<Reports>({ queryKey: [path] }, (reports) => reports && withLink(reports, decided));
      toast({
        description: REPORT_DECIDED[decided.state](decided.shortCode),
        ...(decided.state !== "open" && {
          action: {
            label: "Undo",
            altText: "Undo on the row of the link",
            onSelect: () => mutate("open"),
          },
        }),
      });
    },
    onError: () => showError("The decision was not saved. Please try again."),
  });
  return { decide: (state: ReportedLink["state"]) => !isPending && mutate(state), isPending };
}

function withLink({ links, openCount }: Reports, changed: ReportedLink): Reports {
  const isOpen = ({ state }: ReportedLink) => Number(state === "open");
  const before = links.find(({ shortCode }) => shortCode === changed.shortCode);
  return {
    links: links.map((link) => (link === before ? changed : link)),
    openCount: openCount + (before ? isOpen(changed) - isOpen(before) : 0),
  };
}
