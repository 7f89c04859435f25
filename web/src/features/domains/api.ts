import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { Domain, updateDomain as UpdateDomain } from "@tapthru/proto/domains";
import type * as z from "zod/mini";
import { useCreation } from "../../components/revocable-items/use-creation.ts";
import { useRevocation } from "../../components/revocable-items/use-revocation.ts";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { domainsOptions, FAILED_TO_CHECK_DOMAIN } from "../../lib/domains.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { refreshChangedLists } from "../../lib/link-lists.ts";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";

const { queryKey } = domainsOptions;
const POLL_MS = 3_000;

/** Refetched until all domains work, so that each new state is shown. */
export const refreshedDomainsOptions = {
  ...domainsOptions,
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state: { data } }: { state: { data?: Domain[] | undefined } }) =>
    data?.every(({ state }) => state === "works") ? false : POLL_MS,
};

function replaceDomain(queryClient: QueryClient, changed: Domain) {
  queryClient.setQueryData(queryKey, (domains) => domains?.map((each) => (each.id === changed.id ? changed : each)));
}

interface Callbacks {
  onCreated: () => void;
  onFailed: (message: string) => void;
}

export function useAddDomain({ onCreated, onFailed }: Callbacks) {
  const queryClient = useQueryClient();
  return useCreation({
    create: (body: { host: string }) => callApi("POST", "/api/domains", { body }),
    queryKeys: [queryKey],
    texts: {
      failed: "Failed to add the domain. Please try again.",
      replyLost: "No reply arrived. If the domain is not in the list now, add it again.",
    },
    onCreated(added) {
      queryClient.setQueryData(
        queryKey,
        (domains) => domains && [...domains.filter(({ id }) => id !== added.id), added],
      );
      onCreated();
    },
    onFailed,
  });
}

/** @param onRemoved called once the domain is no longer in the list */
export function useRemoveDomain({ host }: Domain, onRemoved: () => void) {
  const queryClient = useQueryClient();
  return useRevocation({
    async revoke() {
      await callApi("DELETE", "/api/domains/:host", { params: { host } });
      await refreshChangedLists(queryClient);
    },
    remove() {
      onRemoved();
      queryClient.setQueryData(queryKey, (domains) => domains?.filter((each) => each.host !== host));
    },
    queryKeys: [queryKey],
    texts: {
      revoked: "The domain was removed.",
      revokedBefore: "This domain had already been removed.",
    },
  });
}

export function useCheckDomain({ host }: Domain) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  return useSingleMutation<Domain, void>({
    mutationFn: () => callApi("POST", "/api/domains/:host/check", { params: { host } }),
    onSuccess(domain) {
      replaceDomain(queryClient, domain);
      toast({ description: "The domain is being checked." });
    },
    onError: () => showError(FAILED_TO_CHECK_DOMAIN),
  });
}

/** The caller shows why a destination was refused. */
export function useUpdateDomain({ host }: Domain) {
  const queryClient = useQueryClient();
  const toast = useToast();
  return useSingleMutation({
    mutationFn: (body: z.input<(typeof UpdateDomain)["body"]>) =>
      callApi("PATCH", "/api/domains/:host", { params: { host }, body }),
    onSuccess(_changed, { rootUrl }) {
      if (rootUrl !== undefined) void refreshChangedLists(queryClient);
      toast({ title: "Success", description: "The domain was changed." });
    },
    // Another domain may have been the default.
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
