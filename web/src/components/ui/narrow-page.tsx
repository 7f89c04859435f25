import type { ReactNode } from "react";
import { PageTitle } from "./page-title.tsx";

interface NarrowPageProps {
  title: string;
  text?: string;
  children: ReactNode;
}

/** A page with one form and an introduction. */
export function NarrowPage({ title, text, children }: NarrowPageProps) {
  return (
    <div className="mx-auto w-full max-w-form px-4 pt-8 pb-16 sm:px-6 sm:pt-20">
      <div className="mb-6 text-center">
        <PageTitle size="small">{title}</PageTitle>
        {text && <p className="mt-2 leading-6 text-balance wrap-anywhere text-muted">{text}</p>}
      </div>
      {children}
    </div>
  );
}

/** The card around the form of a narrow page. */
export function FormCard({ children }: { children: ReactNode }) {
  return (
    <div className="rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-8">
      {children}
    </div>
  );
}
