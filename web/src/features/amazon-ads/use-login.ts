import type { AdsRegion } from "@tapthru/proto/rules/ads-regions";
import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useState } from "react";
import { useToast } from "../../components/ui/toaster.tsx";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";
import { getAuthUrl } from "./api/get-auth-url.ts";

/** Leads to Amazon; busy until the browser has left. */
export function useLogin() {
  const toast = useToast();
  const [isLeaving, setLeaving] = useState(false);
  const { mutate, isPending } = useSingleMutation({
    mutationFn: (region: AdsRegion) => getAuthUrl(region),
    onSuccess(url) {
      setLeaving(true);
      location.assign(url);
    },
    onError() {
      toast({
        variant: "destructive",
        title: messages.error,
        description: messages.failedToInitiateAmazonLogin,
      });
    },
  });

  useEffect(() => {
    // The browser's back button may bring the page back just as it was left.
    const resetLeaving = () => setLeaving(false);
    addEventListener("pageshow", resetLeaving);
    return () => removeEventListener("pageshow", resetLeaving);
  }, []);

  return { isConnecting: isPending || isLeaving, logIn: mutate };
}
