import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Membership } from "@tapthru/proto/members";
import type { ReactNode } from "react";
import { Button, type ButtonProps } from "../components/ui/button.tsx";
import type { useOpenForm } from "../components/ui/form.tsx";
import { namedAccount } from "../lib/account-address.ts";
import type { CallName } from "../lib/http/call-api.ts";
import { loadSchemas } from "../lib/http/load-schemas.ts";
import { queryOf } from "../lib/http/query-presets.ts";
import { useAccessibleName } from "../lib/item-name.ts";

const WHO_CAN = { viewer: "Members", editor: "An editor or owner", owner: "An owner" };
const ROLE_VERBS = { viewer: "view", editor: "edit", owner: "own" };

interface CanProps {
  call: CallName;
  /** Names what the call does, such as "add links", to say who can do it. Without it the page says nothing. */
  what?: string;
  children: ReactNode;
}

export function Can({ call, what = "", children }: CanProps) {
  const refusal = useDenialReason(call, what);
  if (refusal === null) return children;
  return what && <p className="leading-6 text-pretty text-muted">{refusal}</p>;
}

interface FormButtonProps extends Pick<ButtonProps, "variant" | "aria-label"> {
  call: CallName;
  form: Pick<ReturnType<typeof useOpenForm>, "button">;
  children: string;
}

export function FormButton({ call, form, variant = "outline", ...props }: FormButtonProps) {
  const name = useAccessibleName(props.children);
  return (
    <Can call={call}>
      <Button variant={variant} aria-label={name} {...props} {...form.button} />
    </Can>
  );
}

const rolesOptions = queryOptions({
  queryKey: ["roles"],
  queryFn: async () => (await loadSchemas()).missingRole,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Returns true if the role of the user in the account allows a call. Controls that send it are shown only then. */
export const usePermission = (call: CallName) => useDenialReason(call, "") === null;

/**
 * Why the role of the user does not allow a call; null if it does. Until the calls are loaded, an editor may change everything, and a viewer nothing.
 * @param what who may do it can do, such as "add links"
 */
export function useDenialReason(call: CallName, what: string): string | null {
  const account = useChosenAccount();
  // While the account of another user is not known, nothing is allowed.
  const role = account?.role ?? (namedAccount() === null ? "owner" : "viewer");
  const { data: missingRole } = useQuery({ ...rolesOptions, enabled: role !== "owner" });
  if (role === "owner") return null;
  const needed = missingRole
    ? missingRole(role, call)
    : role === "editor" && !call.startsWith("GET ")
      ? null
      : "editor";
  return needed ? `You ${ROLE_VERBS[role]} this account. ${WHO_CAN[needed]} can ${what}.` : null;
}

export const membershipsOptions = queryOf("GET /api/memberships");

/** The account of another user in which the pages work. Null: the user's own. Its pages are shown once it is known. */
export function useChosenAccount(): Membership | null {
  const id = namedAccount();
  const { data } = useQuery({ ...membershipsOptions, enabled: id !== null });
  return data?.find((each) => each.id === id) ?? null;
}
