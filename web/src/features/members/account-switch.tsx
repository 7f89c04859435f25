import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/ui/card.tsx";
import { membershipsOptions, useChosenAccount } from "../../lib/account.ts";
import { openAccount } from "../../lib/account-address.ts";
import { ROLE_NAMES } from "../../lib/names.ts";
import { useUnsavedForms } from "../../lib/unsaved-text.ts";

const ROW =
  "flex min-h-11 w-full flex-wrap items-center gap-x-2 rounded-xl px-3 py-2 text-left text-md -outline-offset-2 wrap-anywhere hover:bg-sunken aria-[current=true]:font-semibold";

/** The accounts in which the user can work. Nothing if there is only their own. */
export function AccountSwitch() {
  const { data = [] } = useQuery(membershipsOptions);
  const chosen = useChosenAccount();
  const { discard } = useUnsavedForms();
  if (data.length === 0) return null;
  return (
    <Card title="Accounts that you can use">
      <ul>
        {[null, ...data].map((account) => (
          <li key={account?.id ?? "own"}>
            <button
              type="button"
              aria-current={account?.id === chosen?.id}
              onClick={() => discard(() => openAccount(account?.id ?? null))}
              className={ROW}
            >
              <bdi className="min-w-0">{account?.username ?? "Your account"}</bdi>
              {account && <span className="text-sm font-normal text-muted">{ROLE_NAMES[account.role]}</span>}
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
