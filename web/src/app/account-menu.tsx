import { paths } from "@tapthru/proto/rules/paths";
import { UserRound } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { buttonClass } from "../components/ui/button.tsx";
import { NavigationLink } from "../components/ui/links.tsx";
import { useSession } from "../features/session/session-context.tsx";
import { useMay } from "../kit/may.tsx";

const DASHBOARD = { to: paths.dashboard, label: "Dashboard" };
const LINK_PAGES = [
  { to: paths.clicks, label: "Clicks" },
  { to: paths.earnings, label: "Earnings" },
  { to: paths.import, label: "Import" },
] as const;

const ACCOUNT_PAGES = [
  { to: paths.account, label: "Account" },
  { to: paths.stores, label: "Tags and channels" },
];
const OPERATOR = { to: paths.operator, label: "Operator" };

/** The pages about the account, for both menus. The account's sections have links to the others. */
function useAccountPages() {
  const { user } = useSession();
  return user?.isOperator ? [...ACCOUNT_PAGES, OPERATOR] : ACCOUNT_PAGES;
}

/** The pages about links. Viewers import nothing. */
function useLinkPages() {
  const mayImport = useMay("POST /api/links/bulk");
  return LINK_PAGES.filter(({ to }) => mayImport || to !== paths.import);
}

/** Links to the user's pages in the bar of wide screens. The first is known last: it moves no other. */
export function BarLinks() {
  const { user } = useSession();
  const linkPages = useLinkPages();
  return (
    <>
      {user?.isOperator && <div className="hidden @operator-bar:block">{pageLink(OPERATOR)}</div>}
      <NavigationLink to={DASHBOARD.to} className={buttonClass("place", "bar")}>
        {DASHBOARD.label}
      </NavigationLink>
      {linkPages.map(pageLink)}
    </>
  );
}

export function MenuLinks() {
  return [DASHBOARD, ...useLinkPages(), ...useAccountPages()].map(pageLink);
}

function pageLink({ to, label }: { to: string; label: string }) {
  return (
    <NavigationLink key={to} to={to} className={buttonClass("place", "bar")}>
      {label}
    </NavigationLink>
  );
}

/** The user's name and email address. Nothing until they are known. */
export function AccountName() {
  const { user } = useSession();
  if (!user) return null;
  return (
    <div className="min-w-0 wrap-anywhere">
      <p dir="auto" className="line-clamp-2 text-left font-medium">
        {user.username}
      </p>
      <p className="line-clamp-2 text-sm text-muted">{user.email}</p>
    </div>
  );
}

const LINK =
  "flex min-h-11 items-center rounded-xl px-3 py-2 text-md -outline-offset-2 hover:bg-sunken aria-[current=page]:font-semibold";

export function AccountMenu() {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const pages = useAccountPages();
  const close = () => setOpen(false);

  function closeOnEscape({ key }: KeyboardEvent) {
    if (key !== "Escape") return;
    close();
    button.current?.focus();
  }

  return (
    <fieldset
      className="relative"
      onKeyDown={closeOnEscape}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || close()}
    >
      <button
        ref={button}
        type="button"
        aria-label="Account menu"
        aria-expanded={isOpen}
        onClick={() => {
          // Safari does not focus a button that is clicked.
          button.current?.focus();
          setOpen(!isOpen);
        }}
        className="inline-flex h-10 min-w-10 shrink-0 items-center justify-center gap-2 rounded-full border border-line bg-surface px-2.5 text-md font-medium text-muted transition-colors hover:text-ink aria-expanded:text-ink"
      >
        <UserRound aria-hidden className="size-4.5" />
        <span className="sr-only @full-bar:not-sr-only">Account</span>
      </button>
      {/* Clicks keep the focus in it, also where links do not take it. */}
      {isOpen && (
        <div
          tabIndex={-1}
          className="absolute top-full right-0 mt-2 max-h-[calc(100dvh-var(--spacing-bar)*1.25)] w-72 overflow-y-auto rounded-2xl border border-line bg-surface p-1.5 text-ink shadow-card outline-none"
        >
          <ul>
            {pages.map(({ to, label }) => (
              <li key={to}>
                <NavigationLink to={to} onClick={close} className={LINK}>
                  {label}
                </NavigationLink>
              </li>
            ))}
          </ul>
          {/* Below the links, which would move when the name becomes known. */}
          <div className="mt-1.5 border-t border-line px-3 pt-2.5 pb-1.5 empty:hidden">
            <AccountName />
          </div>
        </div>
      )}
    </fieldset>
  );
}
