import type { ReactNode } from "react";
import { PageTitle } from "./page-title.tsx";

const WIDTHS = { medium: "max-w-lg", small: "max-w-md" };

interface NarrowPageProps {
  title: string;
  text: string;
  width?: keyof typeof WIDTHS;
  children: ReactNode;
}

/** A page with one form and an introduction. */
export function NarrowPage({ title, text, width = "medium", children }: NarrowPageProps) {
  return (
    <div className={`mx-auto w-full px-4 pt-8 pb-16 sm:px-6 sm:pt-20 ${WIDTHS[width]}`}>
      <div className="text-center">
        <PageTitle size="small">{title}</PageTitle>
      </div>
      <p className="mt-2 mb-6 text-center leading-6 text-pretty text-muted">{text}</p>
      {children}
    </div>
  );
}
