import { useLocation, useNavigate } from "react-router-dom";
import { useNavigateOnce } from "../../lib/use-navigate-once.ts";

/** What a visit carries that was begun at a card of the list. */
export const FROM_LIST = { fromList: true };

/** Goes back to the list as it was left, search and place, or else to the list anew. */
export function useBackToList(listPath: string): () => void {
  const { state } = useLocation();
  const navigate = useNavigate();
  const navigateOnce = useNavigateOnce();
  return () =>
    navigateOnce(() => {
      if (state?.fromList) navigate(-1);
      else navigate(listPath, { replace: true });
    });
}
