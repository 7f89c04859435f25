import type { AdsRegion } from "@tapthru/proto/rules/amazon/ads-regions";
import { messages } from "@tapthru/proto/rules/messages";
import { useEffect, useState } from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { useSingleMutation } from "../../lib/use-single-mutation.ts";
import { getAuthUrl } from "./api/get-auth-url.ts";

/** Requests the auth URL and goes to Amazon. Stays busy until the browser has left the page. */
export function useLogin() {
  const showError = useErrorToast();
  const [isNavigating, setNavigating] = useState(false);
  const { mutate, isPending } = useSingleMutation({
    mutationFn: (region: AdsRegion) => getAuthUrl(region),
    onSuccess(url) {
      setNavigating(true);
      location.assign(url);
    },
    onError() {
      showError(messages.failedToInitiateAmazonLogin);
    },
  });

  useEffect(() => {
    // The back/forward cache may restore the page in its busy state.
    const resetNavigating = () => setNavigating(false);
    addEventListener("pageshow", resetNavigating);
    return () => removeEventListener("pageshow", resetNavigating);
  }, []);

  return { isConnecting: isPending || isNavigating, logIn: mutate };
}
