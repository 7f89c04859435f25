import { messages } from "@tapthru/proto/rules/messages";
import { lazy, Suspense } from "react";
import { Outlet, useLocation } from "react-router-dom";
import { ThemeSwitch } from "../components/theme-switch.tsx";
import { VersionLabel } from "../features/app-version/version-label.tsx";
import { useShownLink } from "../features/link-generation/shown-link.tsx";
import { paths } from "./paths.ts";
import { SiteFooter } from "./site-footer.tsx";
import { TopBar } from "./top-bar.tsx";
import { useScrollMemory } from "./use-scroll-memory.ts";

const VersionCheck = lazy(() => import("../features/app-version/version-check.tsx"));

export function Layout() {
  const { pathname } = useLocation();
  const isRedirect = pathname.includes(paths.redirect);
  const isLinkShown = useShownLink() !== undefined;
  useScrollMemory();
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar />
      {!isRedirect && (
        <section aria-label={messages.theme} className="fixed top-3 right-3 z-40 sm:right-6">
          <ThemeSwitch />
        </section>
      )}
      {/* The footer comes with the page, which would push it away. */}
      <Suspense>
        <main className="flex flex-1 flex-col pt-bar">
          <Outlet />
        </main>
        {!isRedirect && <SiteFooter>{pathname === paths.home && <VersionLabel />}</SiteFooter>}
      </Suspense>
      {/* Not while a page leaves for the app. */}
      <Suspense>{!isRedirect && <VersionCheck isHeld={isLinkShown} />}</Suspense>
    </div>
  );
}
