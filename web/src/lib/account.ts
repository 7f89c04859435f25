import { useQuery } from "@tanstack/react-query";
import type { Membership } from "@tapthru/proto/members";
import { namedAccount } from "./account-address.ts";
import { queryOf } from "./http/query-presets.ts";

export const membershipsOptions = queryOf("GET /api/memberships");

/** The account of another user in which the pages work. Null: the user's own. Its pages are shown once it is known. */
export function useChosenAccount(): Membership | null {
  const id = namedAccount();
  const { data } = useQuery({ ...membershipsOptions, enabled: id !== null });
  return data?.find((each) => each.id === id) ?? null;
}
