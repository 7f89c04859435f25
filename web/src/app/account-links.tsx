import { UserRound } from "lucide-react";
import { buttonClass } from "../components/ui/button.tsx";
import { NavigationLink } from "../components/ui/links.tsx";
import { useSession } from "../features/session/session-context.tsx";
import { paths } from "./paths.ts";

const DASHBOARD = { to: paths.dashboard, label: "Dashboard" };
/** In the bar of wide screens if there is room for its text size, else in the account menu. */
export const LINK_PAGES = [
  { to: paths.clicks, label: "Clicks" },
  { to: paths.earnings, label: "Earnings" },
  { to: paths.import, label: "Import" },
] as const;

const ACCOUNT_PAGES = [
  { to: paths.account, label: "Account" },
  { to: paths.stores, label: "Stores and tags" },
];
const OPERATOR = { to: paths.operator, label: "Operator" };

/** The pages about the account, for both menus. The account's sections have links to the others. */
export function useAccountPages() {
  const { user } = useSession();
  return user?.isOperator ? [...ACCOUNT_PAGES, OPERATOR] : ACCOUNT_PAGES;
}

/** Links to the user's pages in the bar of wide screens. */
export function BarLinks() {
  return (
    <>
      <NavigationLink to={DASHBOARD.to} className={buttonClass("place")}>
        {DASHBOARD.label}
      </NavigationLink>
      <div className="hidden gap-1.5 @full-bar:flex">{LINK_PAGES.map(pageLink)}</div>
    </>
  );
}

/** Links to the user's pages in the menu of small screens. */
export function MenuLinks() {
  return [DASHBOARD, ...LINK_PAGES, ...useAccountPages()].map(pageLink);
}

function pageLink({ to, label }: { to: string; label: string }) {
  return (
    <NavigationLink key={to} to={to} className={buttonClass("place")}>
      {label}
    </NavigationLink>
  );
}

/** The user's name and email address. Nothing until they are known. */
export function AccountName() {
  const { identity, user } = useSession();
  const name = user?.username ?? identity?.displayName;
  const email = user?.email ?? identity?.email;
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
  "inline-flex h-10 min-w-10 shrink-0 justify-center items-center gap-2 rounded-full border border-line bg-surface px-2.5 text-md font-medium text-muted transition-colors hover:text-ink aria-expanded:text-ink aria-[current=page]:border-current aria-[current=page]:text-ink";

/** What the button shows. */
export function AccountButtonContent() {
  return (
    <>
      <UserRound aria-hidden className="size-4.5" />
      <span className="sr-only @full-bar:not-sr-only">Account</span>
    </>
  );
}
