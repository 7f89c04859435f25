import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { ReportedLink } from "@tapthru/proto/operator/complaints";
import { useCall } from "../../kit/use-call.ts";
import { callApi, type ReplyTo } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";

const COMPLAINTS_DECIDED = {
  "taken-down": (code: string) => `${code} was taken down. Visitors see that it no longer works.`,
  dismissed: (code: string) => `The reports of ${code} were dismissed.`,
  open: (code: string) => `The reports of ${code} are open again.`,
};

const path = "/api/operator/reports";
export const COMPLAINT_VIEWS = ["open", "decided"] as const;
type ComplaintView = (typeof COMPLAINT_VIEWS)[number];

type Complaints = ReplyTo<"GET /api/operator/reports">;

export const complaintsOptions = (view: ComplaintView) =>
  queryOptions({
    queryKey: [path, view],
    async queryFn({ signal, client, queryKey }) {
      const fresh = await callApi(`GET ${path}`, { query: { state: view }, signal });
      const shown = client.getQueryData<Complaints>(queryKey)?.links ?? [];
      return { ...fresh, links: mergeComplaints(shown, fresh.links, view) };
    },
    ...SETTINGS_QUERY,
    refetchInterval: 30_000,
    // A list that is opened again has only the links of its view.
    gcTime: 0,
  });

/** The fresh list, and those of the shown list that the operator has just decided about. None of them moves. */
export function mergeComplaints(
  shown: readonly ReportedLink[],
  fresh: readonly ReportedLink[],
  view: ComplaintView,
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

export function useDecideComplaints(shortCode: string) {
  const queryClient = useQueryClient();
  const { call, isPending } = useCall("PUT /api/operator/reports/:shortCode", {
    done: ({ state }) => COMPLAINTS_DECIDED[state](shortCode),
    undo: ({ state }, { params }) => (state === "open" ? null : { params, body: { state: "open" as const } }),
  });
  const show = (decided: ReportedLink | undefined) =>
    queryClient.setQueriesData<Complaints>({ queryKey: [path] }, (complaints) =>
      complaints && decided ? withLink(complaints, decided) : complaints,
    );
  const decide = (state: ReportedLink["state"]) => call({ params: { shortCode }, body: { state } }, { onDone: show });
  return { decide, isPending };
}

function withLink({ links, openCount }: Complaints, changed: ReportedLink): Complaints {
  const isOpen = ({ state }: ReportedLink) => Number(state === "open");
  const before = links.find(({ shortCode }) => shortCode === changed.shortCode);
  return {
    links: links.map((link) => (link === before ? changed : link)),
    openCount: openCount + (before ? isOpen(changed) - isOpen(before) : 0),
  };
}
