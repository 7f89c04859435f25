import { messages } from "@tapthru/proto/rules/messages";
import { Suspense } from "react";
import { Outlet, useLocation } from "react-router-dom";
import { ThemeSwitch } from "../components/theme-switch.tsx";
import { TopBar } from "./top-bar.tsx";
import { useScrollMemory } from "./use-scroll-memory.ts";

export function Layout() {
  const { pathname } = useLocation();
  useScrollMemory();
  return (
    <>
      <TopBar />
      {!pathname.includes("/redirect") && (
        <section aria-label={messages.theme} className="fixed top-3 right-3 z-40 sm:right-6">
          <ThemeSwitch />
        </section>
      )}
      <main className="flex min-h-dvh flex-col pt-bar">
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
    </>
  );
}
