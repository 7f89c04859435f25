import type { deleteAccount as DeleteAccount } from "@tapthru/proto/http/own-account";
import { messages } from "@tapthru/proto/rules/messages";
import { useToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/call-api.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";

/** @param onDone logs this browser out, too */
export function useDeleteAccount(onDone: () => Promise<void>) {
  const toast = useToast();
  return useSingleMutation<unknown, { email: string }>({
    mutationFn: (body) => callApi<typeof DeleteAccount>("DELETE", "/api/account", { body }),
    onSuccess: onDone,
    onError() {
      const description = messages.failedToDeleteAccount;
      toast({ variant: "destructive", title: messages.error, description });
    },
  });
}
