import { messages } from "@tapthru/proto/rules/messages";
import { UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "../components/ui/button.tsx";
import { NavigationLink } from "../components/ui/links.tsx";
import { useSession } from "../features/session/session-context.tsx";
import { paths } from "./paths.ts";

/** The user's own pages, for both menus. */
export const ACCOUNT_PAGES = [
  { to: paths.clicks, label: messages.clicks },
  { to: paths.account, label: messages.account },
  { to: paths.stores, label: messages.stores },
  { to: paths.amazonAdsAuth, label: messages.amazonAds },
] as const;

/** The given links and the pages about the account, in the menu of small screens. */
export function AccountLinks({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      {ACCOUNT_PAGES.map(({ to, label }) => (
        <NavigationLink key={to} to={to} className={buttonClass("quiet")}>
          {label}
        </NavigationLink>
      ))}
    </>
  );
}

/** The user's name and email address. Nothing until they are known. */
export function AccountName() {
  const { user, account } = useSession();
  const name = account?.username ?? user?.displayName;
  const email = account?.email ?? user?.email;
  if (!email) return null;
  return (
    <div className="min-w-0 wrap-anywhere">
      {name && (
        <p dir="auto" className="line-clamp-2 text-left font-medium">
          {name}
        </p>
      )}
      <p className="line-clamp-2 text-sm text-muted">{email}</p>
    </div>
  );
}

/** The classes of the button that opens the account menu. */
export const ACCOUNT_BUTTON =
  "grid size-10 shrink-0 place-items-center rounded-full border border-line bg-surface text-muted transition-colors hover:text-ink aria-expanded:text-ink aria-[current=page]:border-current aria-[current=page]:text-ink";

export function AccountIcon() {
  return <UserRound aria-hidden className="size-4.5" />;
}
