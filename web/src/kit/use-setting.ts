import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallName, callApi, type InputOf } from "../lib/http/call-api.ts";

/** Saves a setting by a call that replies as the query of the setting does. The query has the reply then. */
export function useSetting<Name extends CallName>(name: Name, { queryKey }: { queryKey: QueryKey }) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<Name>) => callApi(name, input),
    async onSuccess(reply) {
      // A reply that was requested earlier lacks the change.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, reply);
    },
  });
}
