import { paths } from "@tapthru/proto/rules/paths";
import type { MouseEvent } from "react";
import { useLocation, useNavigate } from "react-router-dom";

export const FROM_LIST = { fromList: true };

/** Goes back to the list with its search and scroll position, or opens the list if the user did not come from it. */
export function useBackToList(): (click?: MouseEvent) => void {
  const { state } = useLocation();
  const navigate = useNavigate();
  return (click) => {
    // The second click of a double click would go back twice.
    if (click && click.detail > 1) return;
    if (state?.fromList) navigate(-1);
    else navigate(paths.dashboard, { replace: true });
  };
}
