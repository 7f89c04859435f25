import type { ReactNode } from "react";
import { buttonClass } from "../components/ui/button.tsx";
import { NavigationLink, PageLink } from "../components/ui/links.tsx";
import { SlideOut } from "../components/ui/slide-out.tsx";
import { useIsSignedIn } from "../features/session/session-context.tsx";
import { useConfig } from "../lib/config.ts";
import { useUnsavedForms } from "../lib/unsaved-text.ts";
import { AccountMenu, AccountName, BarLinks, MenuLinks } from "./account-menu.tsx";
import { paths } from "./paths.ts";
import { useLogOut } from "./use-log-out.ts";

interface TopBarProps {
  /** Shown below the actions in the menu of small screens. */
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
        <nav aria-label="Main" className="hidden shrink-0 items-center gap-1.5 md:flex">
          {isSignedIn ? (
            <>
              <BarLinks />
              <LogOutButton onLogOut={logOut} />
              <AccountMenu />
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
      <NavigationLink to={paths.login} className={buttonClass("place")}>
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
    <button type="button" onClick={() => discard(onLogOut)} className={buttonClass("place")}>
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
