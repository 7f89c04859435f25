import type { ReactNode } from "react";
import { NavigationLink } from "../components/ui/links.tsx";
import { useIsSignedIn } from "../features/session/session-context.tsx";
import { paths } from "./paths.ts";

const LINK =
  "rounded-sm px-2 py-1 underline-offset-4 hover:text-ink hover:underline aria-[current=page]:font-medium aria-[current=page]:text-ink";

export function SiteFooter({ children }: { children: ReactNode }) {
  const isSignedIn = useIsSignedIn();
  return (
    <footer className="flex flex-col items-center gap-2 p-4 text-center text-xs text-muted">
      <nav aria-label="About this site" className="flex flex-wrap justify-center gap-x-2">
        {isSignedIn && (
          <NavigationLink to={paths.account} className={LINK}>
            Your account
          </NavigationLink>
        )}
        <NavigationLink to={paths.report} className={LINK}>
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
