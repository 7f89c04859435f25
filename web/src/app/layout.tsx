import { paths } from "@tapthru/proto/rules/paths";
import { type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { Outlet, ScrollRestoration, useHref, useLocation, useNavigationType } from "react-router-dom";
import { ThemeField, ThemeSwitch } from "../components/theme-switch.tsx";
import { NavigationLink, SkipLink } from "../components/ui/links.tsx";
import { VersionCheck, VersionLabel } from "../features/app-version/version-check.tsx";
import { scrollKeyOf } from "../features/links/back-to-list.ts";
import { useCreateLinks, useHasFailedLinks } from "../features/links/create/use-create-links.ts";
import { useIsSignedIn, useSession } from "../features/session/session-context.tsx";
import { focusIfLost, useKeptFocus } from "../lib/focus.ts";
import { useUnsavedText } from "../lib/unsaved-text.ts";
import { AccountBar, AccountPages } from "./account-bar.tsx";
import { EndedLogin } from "./ended-login.tsx";
import { TopBar } from "./top-bar.tsx";
import { UnsavedTextGuard } from "./unsaved-text-guard.tsx";

export function Layout() {
  const { pathname } = useLocation();
  const isRedirect = pathname.startsWith(paths.redirect);
  const hasThemeSwitch = !pathname.includes(paths.redirect);
  const { hasEnded, identity } = useSession();
  const hasFailedLinks = useHasFailedLinks();
  const content = usePageFocus();
  useFocusAfterSignOut(content);
  useKeptFocus(content);
  return (
    <UnsavedTextGuard>
      <div className="flex min-h-dvh flex-col">
        <SkipLink to={CONTENT_ID}>Skip to content</SkipLink>
        <PageAnnouncer />
        <TopBar menuFoot={hasThemeSwitch && <ThemeField />} />
        {hasThemeSwitch && (
          <section aria-label="Theme" className="fixed top-3 right-6 z-40 hidden md:block print:hidden">
            <ThemeSwitch />
          </section>
        )}
        {/* The footer suspends with the page: shown earlier, it would move when the page appears. */}
        <Suspense>
          <main
            id={CONTENT_ID}
            ref={content}
            tabIndex={-1}
            className="flex flex-1 flex-col pt-bar outline-none print:pt-0"
          >
            {hasEnded && (identity !== null || pathname === paths.home) && <EndedLogin />}
            <AccountBar />
            <AccountPages>
              <Outlet />
            </AccountPages>
          </main>
          {!isRedirect && (
            <SiteFooter>
              {pathname === paths.home && (
                <div className="min-h-4">
                  <VersionLabel />
                </div>
              )}
            </SiteFooter>
          )}
        </Suspense>
        {/* A reload would interrupt opening the app. */}
        {!isRedirect && <VersionCheck isBlocked={hasFailedLinks} />}
        <ScrollRestoration getKey={scrollKeyOf} />
        <RunningLinks />
      </div>
    </UnsavedTextGuard>
  );
}

const STOP_LINKS = { question: "Stop creating the other links?", confirm: "Stop" };

function RunningLinks() {
  useUnsavedText(useCreateLinks().isRunning, { texts: STOP_LINKS, staysOnPages: true });
  return null;
}

const CONTENT_ID = "content";

/**
 * Moves the focus if a sign-out, also in another tab, has removed the control that had it: to the menu of small screens
 * if it is open, otherwise to the content of the page.
 */
function useFocusAfterSignOut(content: RefObject<HTMLElement | null>): void {
  const isSignedIn = useIsSignedIn();
  useEffect(() => {
    if (!isSignedIn) return;
    return () => {
      focusIfLost(document.querySelector<HTMLElement>("dialog[open] button") ?? content.current, true);
    };
  }, [isSignedIn, content]);
}

const LINK =
  "rounded-sm px-2 py-1 underline-offset-4 hover:text-ink hover:underline aria-[current=page]:font-medium aria-[current=page]:text-ink";

function SiteFooter({ children }: { children: ReactNode }) {
  const isSignedIn = useIsSignedIn();
  return (
    <footer className="flex flex-col items-center gap-2 p-4 text-center text-sm text-muted">
      <nav aria-label="About this site" className="flex flex-wrap justify-center gap-x-2">
        {isSignedIn && (
          <NavigationLink to={paths.account} className={LINK}>
            Your account
          </NavigationLink>
        )}
        <NavigationLink to={paths.linkAudit} className={LINK}>
          Find lost commission
        </NavigationLink>
        <NavigationLink to={paths.abuseReport} className={LINK}>
          Report a link
        </NavigationLink>
        <NavigationLink to={paths.privacy} className={LINK}>
          Privacy policy
        </NavigationLink>
      </nav>
      {children}
    </footer>
  );
}

/** Announces each new page to screen readers once it has loaded. The browser announces the first page itself. */
function PageAnnouncer() {
  const { pathname } = useLocation();
  const lastPathname = useRef(pathname);
  const [announced, setAnnounced] = useState({ pathname, title: "" });

  // Effects run in tree order: this one observes the title before the page's effect sets it.
  useEffect(() => {
    const title = document.querySelector("title");
    if (lastPathname.current === pathname || !title) return;
    lastPathname.current = pathname;
    const observer = new MutationObserver(() => {
      if (document.querySelector("main [data-loading]")) return;
      observer.disconnect();
      setAnnounced({ pathname, title: document.title });
    });
    observer.observe(title, { childList: true });
    return () => observer.disconnect();
  }, [pathname]);

  return (
    <p aria-live="polite" className="sr-only">
      {announced.pathname === pathname ? announced.title : ""}
    </p>
  );
}

/**
 * Moves the focus to the content of a new page. After going back, it focuses the link that led to the previous page.
 * @returns a ref for the element that holds each page's content
 */
function usePageFocus(): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  const location = useLocation();
  const pathname = useHref(location.pathname);
  const isPop = useNavigationType() === "POP";
  const isBack = isPop || location.state?.scrollKey !== undefined;
  const lastPathname = useRef(pathname);

  useEffect(() => {
    const previousPathname = lastPathname.current;
    lastPathname.current = pathname;
    const element = content.current;
    if (previousPathname === pathname || !element) return;
    const focused = document.activeElement;
    if (focused !== element && element.contains(focused)) return;
    const backLink = isBack && findLinkTo(previousPathname, element);
    (backLink || element).focus({ preventScroll: true });
  }, [pathname, isBack]);

  return content;
}

/** The link to a page, or to the page of which it is a tab, such as /link/abc for /link/abc/clicks. */
function findLinkTo(pathname: string, within: HTMLElement): HTMLElement | null {
  const linkTo = (path: string) => within.querySelector<HTMLElement>(`a[href="${CSS.escape(path)}"]`);
  return linkTo(pathname) ?? linkTo(pathname.replace(/\/[^/]+$/, ""));
}
