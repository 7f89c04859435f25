import { paths } from "@tapthru/proto/rules/paths";
import { Menu, X } from "lucide-react";
import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { buttonClass } from "../components/ui/button.tsx";
import { NavigationLink, PageLink } from "../components/ui/links.tsx";
import { Modal } from "../components/ui/modal.tsx";
import { useIsSignedIn, useSession } from "../features/session/session-context.tsx";
import { usePermission } from "../kit/can.tsx";
import { useConfig } from "../lib/config.ts";
import { useUnsavedForms } from "../lib/unsaved-text.ts";
import { useLogOut } from "./use-log-out.ts";

interface TopBarProps {
  menuFoot: ReactNode;
}

export function TopBar({ menuFoot }: TopBarProps) {
  const { productName } = useConfig();
  const isSignedIn = useIsSignedIn();
  const logOut = useLogOut();
  return (
    <header className="@container print:hidden fixed inset-x-0 top-0 z-30 h-bar border-b border-line/70 bg-page/75 backdrop-blur-lg backdrop-saturate-150">
      {/* The right padding of wide screens leaves space for the floating theme switch. */}
      <div className="flex h-full items-center justify-between gap-2 px-edge sm:px-6 md:pr-20">
        <PageLink to={paths.home} className="-mx-1.5 flex min-w-0 rounded-xl px-1.5 py-1">
          <Logo name={productName} />
        </PageLink>
        <nav aria-label="Main" className="hidden shrink-0 items-center gap-0.5 @3xl:flex @full-bar:gap-1.5">
          {isSignedIn ? (
            <>
              <BarLinks />
              <LogOutButton onLogOut={logOut} />
            </>
          ) : (
            <GuestActions />
          )}
        </nav>
        <SlideOut>
          <nav aria-label="Main" className="flex flex-col gap-3 p-2">
            {isSignedIn ? (
              <>
                <MenuLinks />
                <LogOutButton onLogOut={logOut} />
              </>
            ) : (
              <GuestActions />
            )}
          </nav>
          {/* Below the actions, which would move when the name becomes known. */}
          <div className="mt-auto px-3">
            <AccountName />
          </div>
          <div className="border-t border-line pt-2 empty:hidden">{menuFoot}</div>
        </SlideOut>
      </div>
    </header>
  );
}

function GuestActions() {
  return (
    <>
      <NavigationLink to={paths.login} className={buttonClass("place", "bar")}>
        Login
      </NavigationLink>
      <NavigationLink to={paths.signup} className={buttonClass("primary")}>
        Sign up for free
      </NavigationLink>
    </>
  );
}

function LogOutButton({ onLogOut }: { onLogOut: () => Promise<void> }) {
  const { discard } = useUnsavedForms();
  return (
    <button type="button" onClick={() => discard(onLogOut)} className={buttonClass("place", "bar")}>
      Log out
    </button>
  );
}

function Logo({ name }: { name: string }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5 text-lg leading-tight font-semibold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-emblem shrink-0" fill="none">
        <rect width="32" height="32" rx="9" className="fill-accent" />
        <path
          d="M8 10.5h16M16 10.5v7.5a4 4 0 0 0 4 4h3.5M20.5 18.5 24 22l-3.5 3.5"
          className="stroke-on-accent"
          strokeWidth="2.75"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span className="line-clamp-2 wrap-anywhere">{name}</span>
    </span>
  );
}

const ICON_BUTTON = "grid size-10 place-items-center rounded-xl hover:bg-sunken";

function SlideOut({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);

  useEffect(() => {
    const wide = matchMedia("(width >= 48rem)");
    const closeMenu = () => setOpen(false);
    wide.addEventListener("change", closeMenu);
    return () => wide.removeEventListener("change", closeMenu);
  }, []);

  /** Closes on a click on the backdrop, whose target is the dialog itself, and on any link or button. */
  function closeOnClick({ target, currentTarget }: MouseEvent<HTMLDialogElement>) {
    if (target === currentTarget || (target instanceof Element && target.closest("a, button"))) {
      close();
    }
  }

  return (
    <div className="shrink-0 @3xl:hidden">
      <button
        type="button"
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        className={ICON_BUTTON}
      >
        <Menu aria-hidden className="size-5" />
      </button>
      <Modal
        open={open}
        aria-label="Menu"
        onClose={close}
        onClick={closeOnClick}
        className="backdrop:bg-backdrop motion-safe:transition-all motion-safe:transition-discrete motion-safe:duration-200 motion-safe:not-open:translate-x-full motion-safe:not-open:opacity-0 motion-safe:starting:open:translate-x-full motion-safe:starting:open:opacity-0 fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-72 max-w-9/10 overflow-y-auto overscroll-contain border-l border-line bg-surface text-ink shadow-card"
      >
        <div className="flex min-h-full flex-col gap-2 p-3">
          <button type="button" aria-label="Close menu" className={`${ICON_BUTTON} self-end`}>
            <X aria-hidden className="size-5" />
          </button>
          {children}
        </div>
      </Modal>
    </div>
  );
}

const DASHBOARD = { to: paths.dashboard, label: "Dashboard", alsoOf: paths.link("") };
const LINK_PAGES = [
  { to: paths.clicks, label: "Clicks" },
  { to: paths.earnings, label: "Earnings" },
  { to: paths.import, label: "Import" },
] as const;

const ACCOUNT = { to: paths.account, label: "Account", alsoOf: `${paths.account}/` };
const ACCOUNT_PAGES = [ACCOUNT, { to: paths.stores, label: "Tags and channels" }];
const OPERATOR = { to: paths.operator, label: "Operator", alsoOf: `${paths.operator}/` };

function useAccountPages() {
  const { user } = useSession();
  return user?.isOperator ? [...ACCOUNT_PAGES, OPERATOR] : ACCOUNT_PAGES;
}

/** The pages about links. Viewers import nothing. */
function useLinkPages() {
  const mayImport = usePermission("POST /api/links/bulk");
  return LINK_PAGES.filter(({ to }) => mayImport || to !== paths.import);
}

/** Links to the user's pages in the bar of wide screens. The first is known last: it moves no other; a narrow bar has no room for it. */
function BarLinks() {
  const { user } = useSession();
  const linkPages = useLinkPages();
  return (
    <>
      {user?.isOperator && <div className="hidden @operator-bar:block">{pageLink(OPERATOR)}</div>}
      {pageLink(DASHBOARD)}
      {linkPages.map(pageLink)}
      {pageLink(ACCOUNT)}
    </>
  );
}

function MenuLinks() {
  return [DASHBOARD, ...useLinkPages(), ...useAccountPages()].map(pageLink);
}

function pageLink({ to, label, alsoOf }: { to: string; label: string; alsoOf?: string }) {
  return (
    <NavigationLink key={to} to={to} alsoOf={alsoOf} className={buttonClass("place", "bar")}>
      {label}
    </NavigationLink>
  );
}

function AccountName() {
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
