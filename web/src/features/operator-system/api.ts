import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { getSystem } from "@tapthru/proto/operator/system";
import type * as z from "zod/mini";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const REFETCH_INTERVAL_MS = 10_000;

export type System = z.infer<(typeof getSystem)["replies"][200]>;

export const systemOptions = queryOptions({
  ...SETTINGS_QUERY,
  refetchInterval: REFETCH_INTERVAL_MS,
  queryKey: ["/api/operator/system"],
  queryFn: ({ signal }) => callApi("GET", "/api/operator/system", { signal }),
});

/** Ends the pauses of all items that are set aside. */
export function useRetryItems() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  return useSingleMutation<unknown, void>({
    mutationFn: () => callApi("POST", "/api/operator/failed-items/retry", {}),
    onSuccess: () =>
      toast({
        title: "Success",
        description: "They are tried again in the next round of their jobs.",
      }),
    onError: () => showError("The items could not be retried. Please try again."),
    onSettled: () => queryClient.invalidateQueries({ queryKey: systemOptions.queryKey }),
  });
}

interface QueueChange {
  action: "retry" | "discard";
  /** Of one job; undefined: all failed jobs of the queue. */
  id: string | undefined;
}

/** Retries or discards failed jobs of a queue. */
export function useChangeQueue(job: string) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  return useSingleMutation<{ count: number }, QueueChange>({
    mutationFn: ({ action, id }) =>
      callApi("POST", `/api/operator/queues/:job/${action}`, {
        params: { job },
        body: id === undefined ? {} : { id },
      }),
    onSuccess({ count }, { action }) {
      const text =
        action === "retry"
          ? (count: number) =>
              `${count === 1 ? "1 job" : `${count} jobs`} ${count === 1 ? "waits" : "wait"} in the queue again.`
          : (count: number) => `${count === 1 ? "1 job" : `${count} jobs`} ${count === 1 ? "was" : "were"} discarded.`;
      toast({ title: "Success", description: text(count) });
    },
    onError: () => showError("The queue could not be changed. Please try again."),
    onSettled: () => queryClient.invalidateQueries({ queryKey: systemOptions.queryKey }),
  });
}
