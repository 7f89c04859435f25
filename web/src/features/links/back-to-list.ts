import { useLocation, useNavigate } from "react-router-dom";
import { discardUnsavedText } from "../../lib/unsaved-text.ts";
import { useNavigateOnce } from "../../lib/use-navigate-once.ts";

/** Router state of a navigation from the list. */
export const FROM_LIST = { fromList: true };

/** Goes back to the list with its search and scroll position, or opens the list if the user did not come from it. */
export function useBackToList(listPath: string): () => void {
  const { state } = useLocation();
  const navigate = useNavigate();
  const navigateOnce = useNavigateOnce();
  function goBack() {
    if (state?.fromList) navigate(-1);
    else navigate(listPath, { replace: true });
  }
  return () => discardUnsavedText(() => navigateOnce(goBack));
}
