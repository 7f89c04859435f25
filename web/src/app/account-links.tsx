import { messages } from "@tapthru/proto/rules/messages";
import type { ReactNode } from "react";
import { buttonClass } from "../components/ui/button.tsx";
import { NavigationLink } from "../components/ui/links.tsx";
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
