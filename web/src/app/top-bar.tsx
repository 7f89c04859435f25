import { messages } from "@tapthru/proto/rules/messages";
import { Link } from "react-router-dom";
import { Logo } from "../components/logo.tsx";
import { buttonClass } from "../components/ui/button.tsx";
import { SlideOut } from "../components/ui/slide-out.tsx";
import { useShownLink } from "../features/link-generation/shown-link.tsx";
import { useConfig } from "../lib/config.ts";
import { keepPendingLink } from "../lib/pending-link.ts";
import { paths } from "./paths.ts";

export function TopBar() {
  const { productName } = useConfig();
  return (
    <header className="fixed inset-x-0 top-0 z-30 h-bar border-b border-line/70 bg-page/75 backdrop-blur-lg backdrop-saturate-150">
      {/* The right padding is the floating element's room. */}
      <div className="flex h-full items-center justify-between pr-16 pl-4 sm:pr-20 sm:pl-6">
        <Link to={paths.home} className="-mx-1.5 flex rounded-xl px-1.5 py-1">
          <Logo name={productName} />
        </Link>
        <nav aria-label={messages.mainNavigation} className="hidden items-center gap-2 md:flex">
          <AccountLinks />
        </nav>
        <SlideOut>
          <nav aria-label={messages.mainNavigation} className="flex flex-col gap-3 p-2">
            <AccountLinks />
          </nav>
        </SlideOut>
      </div>
    </header>
  );
}

function AccountLinks() {
  const link = useShownLink();
  const keepLink = () => link && keepPendingLink(link, paths.dashboard);
  return (
    <>
      <Link to={paths.login} onClick={keepLink} className={buttonClass("quiet")}>
        {messages.login}
      </Link>
      <Link to={paths.signup} onClick={keepLink} className={buttonClass("primary")}>
        {messages.signUpForFree}
      </Link>
    </>
  );
}
