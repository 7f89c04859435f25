import { type AppPage, appChoices, appStoreText, ENGLISH } from "@tapthru/proto/rules/app-opening/app-page";
import type { ReactNode } from "react";
import { buttonClass, textLinkClass } from "../../../components/ui/button.tsx";
import { OutsideLink } from "../../../components/ui/links.tsx";
import { PageTitle } from "../../../components/ui/page.tsx";

/** The choices on a phone, as plain links. The words are the same where only a tap opens the app. */
export function AppOpening({ page }: { page: AppPage }) {
  const choices = appChoices({ ...page, strategy: { ...page.strategy, mode: "auto" } });
  return (
    <Opening>
      {page.strategy.escape === "by-hand" && <p className="text-balance text-muted">{ENGLISH.openByHand}</p>}
      <div className="flex flex-col gap-3">
        {choices.map(({ kind, text, url }, index) => (
          <OutsideLink key={kind} href={url} className={buttonClass(index === 0 ? "primary" : "outline")}>
            {text}
          </OutsideLink>
        ))}
      </div>
      <p className="text-muted">
        {ENGLISH.noAmazonApp}
        <br />
        <OutsideLink href={page.storeUrl} className={textLinkClass}>
          {appStoreText(page.strategy)}
        </OutsideLink>
      </p>
    </Opening>
  );
}

export function WebOpening({ webUrl }: { webUrl: string }) {
  return (
    <Opening>
      <OutsideLink href={webUrl} className={buttonClass("primary")}>
        {ENGLISH.openInBrowser}
      </OutsideLink>
    </Opening>
  );
}

function Opening({ children }: { children: ReactNode }) {
  return (
    <section className="mx-auto flex w-full max-w-form flex-1 flex-col justify-center gap-6 px-4 py-10 text-center sm:px-6">
      <PageTitle>{ENGLISH.openingAmazon}</PageTitle>
      <p className="text-balance text-muted">{ENGLISH.appDidNotOpen}</p>
      {children}
    </section>
  );
}
