import { paths } from "@tapthru/proto/rules/paths";
import { type Location, useLocation, useNavigate } from "react-router-dom";

/** By which the browser finds the scroll position of a page. A list that was left for a link, and is opened again, has it again. */
export const scrollKeyOf = ({ state, key }: Location): string => state?.scrollKey ?? key;

/** The state of links to the page of a link, which its bars and tabs keep. */
export function useFromList() {
  const location = useLocation();
  return { list: { address: location.pathname + location.search, scrollKey: scrollKeyOf(location) } };
}

/** Opens the list that led to a link with its search and scroll position, or the dashboard. */
export function useBackToList() {
  const { state } = useLocation();
  const navigate = useNavigate();
  const { address = paths.dashboard, scrollKey } = state?.list ?? {};
  return (replace: boolean) => navigate(address, { replace, state: { scrollKey } });
}
