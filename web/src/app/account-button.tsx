import { UserRound } from "lucide-react";

/** The classes of the button that opens the account menu. */
export const ACCOUNT_BUTTON =
  "grid size-10 shrink-0 place-items-center rounded-full border border-line bg-surface text-muted transition-colors hover:text-ink aria-expanded:text-ink aria-[current=page]:border-current aria-[current=page]:text-ink";

export function AccountIcon() {
  return <UserRound aria-hidden className="size-4.5" />;
}
