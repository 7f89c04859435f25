import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { UserDetails } from "@tapthru/proto/operator/users";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { httpErrorOf } from "../../lib/http/http-client.ts";
import { SETTINGS_QUERY } from "../../lib/http/query-presets.ts";

const path = "/api/operator/users";

export const usersOptions = (q: string) =>
  infiniteQueryOptions({
    queryKey: [path, "all", q],
    queryFn: ({ pageParam, signal }) =>
      callApi("GET", path, {
        query: { ...(q && { q }), ...(pageParam !== null && { before: String(pageParam) }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
    placeholderData: keepPreviousData,
    ...SETTINGS_QUERY,
  });

export const userOptions = (id: string) =>
  queryOptions({
    queryKey: [path, "one", id],
    queryFn: ({ signal }) => callApi("GET", `${path}/:id`, { params: { id }, signal }),
    ...SETTINGS_QUERY,
  });

interface UserChange<Variables> {
  id: number;
  change: (params: { id: string }, variables: Variables) => Promise<unknown>;
  done: string;
  onDone?: () => void;
}

/** Changes something of a user, and shows a toast. */
export function useUserChange<Variables = void>(options: UserChange<Variables>) {
  const { change, done, onDone } = options;
  const id = String(options.id);
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  return useMutation({
    mutationFn: (variables: Variables) => change({ id }, variables),
    onSuccess() {
      toast({ title: "Success", description: done });
      onDone?.();
    },
    onError(error) {
      const refusal = httpErrorOf(error);
      const isExplained = refusal?.status === 409 || refusal?.status === 422;
      showError(isExplained ? refusal.text : "The change was not saved. Please try again.");
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [path] }),
  });
}

export const setState = (params: { id: string }, state: UserDetails["state"]) =>
  callApi("PUT", `${path}/:id/state`, { params, body: { state } });
export const endSessions = (params: { id: string }) => callApi("DELETE", `${path}/:id/sessions`, { params });
export const resetTwoFactor = (params: { id: string }) => callApi("DELETE", `${path}/:id/two-factor`, { params });
export const deleteUser = (params: { id: string }, username: string) =>
  callApi("DELETE", `${path}/:id`, { params, body: { username } });
