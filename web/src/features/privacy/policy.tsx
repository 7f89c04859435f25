import type { ReactNode } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";
import { PageTitle } from "../../components/ui/page.tsx";
import { usePageTitle } from "../../lib/use-page-title.ts";

export function Policy({ title, dates, children }: { title: string; dates: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <article className="mx-auto flex w-full max-w-page flex-col gap-8 px-4 *:max-w-form pt-8 pb-16 leading-7 sm:px-6 sm:pt-14">
      <header>
        <PageTitle>{title}</PageTitle>
        <p className="mt-3 text-sm text-muted">{dates}</p>
      </header>
      {children}
    </article>
  );
}

export function Section({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 wrap-anywhere">
      <h2 className="text-lg font-semibold tracking-tight">{heading}</h2>
      {children}
    </section>
  );
}

export function PolicyList({ items }: { items: Record<string, ReactNode> }) {
  return (
    <ul className="flex list-disc flex-col gap-2 pl-5 marker:text-muted">
      {Object.entries(items).map(([name, text]) => (
        <li key={name}>
          <strong className="font-semibold">{name}.</strong> {text}
        </li>
      ))}
    </ul>
  );
}

export function MailLink({ address }: { address: string }) {
  return (
    <OutsideLink href={`mailto:${address}`} className={textLinkClass}>
      {address}
    </OutsideLink>
  );
}
