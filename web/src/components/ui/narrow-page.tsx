import type { ReactNode } from "react";
import { PageTitle } from "./page-title.tsx";

interface NarrowPageProps {
  title: string;
  text: string;
  children: ReactNode;
}

/** A page with one form and an introduction. */
export function NarrowPage({ title, text, children }: NarrowPageProps) {
  return (
    <div className="mx-auto w-full max-w-form px-4 pt-8 pb-16 sm:px-6 sm:pt-20">
      <div className="text-center">
        <PageTitle size="small">{title}</PageTitle>
      </div>
      <p className="mt-2 mb-6 text-center leading-6 text-pretty text-muted">{text}</p>
      {children}
    </div>
  );
}
