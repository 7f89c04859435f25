import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { createInvitation, listInvitations } from "@tapthru/proto/operator/sign-up";
import type * as z from "zod/mini";
import { useCreation } from "../../components/revocable-items/use-creation.ts";
import { useRevocation } from "../../components/revocable-items/use-revocation.ts";
import { callApi } from "../../lib/http/call-api.ts";

const path = "/api/operator/invitations";

export type Invitation = z.infer<(typeof listInvitations)["replies"][200]>[number];
export type NewInvitation = z.infer<(typeof createInvitation)["replies"][201]>;

export const invitationsOptions = queryOptions({
  queryKey: [path],
  queryFn: ({ signal }) => callApi("GET", path, { signal }),
  // Each is used by another person.
  staleTime: 0,
  refetchOnWindowFocus: true,
});
const { queryKey } = invitationsOptions;

interface Callbacks {
  onCreated: (invitation: NewInvitation) => void;
  onFailed: (message: string) => void;
}

export function useCreateInvitation({ onCreated, onFailed }: Callbacks) {
  return useCreation({
    create: (body: z.input<(typeof createInvitation)["body"]>) => callApi("POST", path, { body }),
    queryKeys: [queryKey],
    texts: {
      failed: "Failed to create the invitation. Please try again.",
      replyLost: "No success message arrived. If the invitation is in the list, delete it and create another one.",
    },
    onCreated,
    onFailed,
  });
}

/** @param onDeleted called once the invitation is no longer in the list */
export function useDeleteInvitation({ id }: Invitation, onDeleted: () => void) {
  const queryClient = useQueryClient();
  return useRevocation({
    revoke: () => callApi("DELETE", "/api/operator/invitations/:id", { params: { id: String(id) } }),
    remove() {
      onDeleted();
      queryClient.setQueryData(queryKey, (all) => all?.filter((each) => each.id !== id));
    },
    queryKeys: [queryKey],
    texts: {
      revoked: "The invitation has been deleted.",
      revokedBefore: "This invitation was already used or deleted.",
    },
  });
}
