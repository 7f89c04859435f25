import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { useState } from "react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { callApi } from "../../../lib/http/call-api.ts";
import { useSingleMutation } from "../../../lib/use-single-mutation.ts";
import { useTimeout } from "../../../lib/use-timeout.ts";
import { linkOptions } from "../get-link.ts";

const POLL_INTERVAL_MS = 1_500;
const POLL_MS = 30_000;

/** The checks of the link when a new one was requested. */
interface Request {
  isQueued: boolean;
  attemptedAt: string | null;
  checkedAt: string | null;
}

/** Checks a link, and waits for the result for a while. `note` says how the check ended. */
export function useCheckLink({ shortCode, health }: Link) {
  const showError = useErrorToast();
  const [request, setRequest] = useState<Request | null>(null);
  const isAttempted = request !== null && health.attemptedAt !== request.attemptedAt;
  const isWaiting = request?.isQueued === true && !isAttempted;
  const [isLate, setIsLate] = useState(false);
  const waiting = useTimeout();

  useQuery({
    ...linkOptions(shortCode),
    refetchInterval: isWaiting && !isLate ? POLL_INTERVAL_MS : false,
  });

  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => callApi("POST", "/api/links/:shortCode/check", { params: { shortCode } }),
    onSuccess({ isQueued }) {
      setRequest({ ...health, isQueued });
      setIsLate(false);
      waiting.start(() => setIsLate(true), POLL_MS);
    },
    onError: () => showError("Failed to check the link. Please try again."),
  });

  return {
    check: () => mutate(undefined),
    isChecking: isPending || (isWaiting && !isLate),
    note: request && noteOf(request, { health, isLate }),
  };
}

function noteOf(
  { isQueued, attemptedAt, checkedAt }: Request,
  { health, isLate }: { health: Link["health"]; isLate: boolean },
): string | null {
  if (!isQueued) return "This product was checked less than a minute ago.";
  if (health.attemptedAt === attemptedAt)
    return isLate ? "The check takes longer. You will see its result here later." : null;
  return health.checkedAt === checkedAt ? "Amazon did not respond. We try again later." : "Checked just now.";
}
