import type { ReactNode } from "react";
import { usePageTitle } from "../../lib/use-page-title.ts";

const PAGE = "mx-auto w-full px-4 pt-8 pb-16 sm:px-6";

const INTRO = "mt-2 max-w-form leading-6 text-pretty";

const LAYOUTS = {
  page: { page: `${PAGE} max-w-page sm:pt-12`, head: "mb-6", intro: INTRO },
  section: { page: "flex flex-col gap-6", head: "", intro: INTRO },
  narrow: {
    page: `${PAGE} max-w-form sm:pt-20`,
    head: "mb-6 text-center",
    intro: "mt-2 leading-6 text-balance wrap-anywhere",
  },
};

export interface PageProps {
  layout?: keyof typeof LAYOUTS | undefined;
  /** The document's title, and the heading unless there is another one. */
  title: string;
  heading?: string;
  intro?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function Page({ layout = "page", title, heading = title, intro, action, children }: PageProps) {
  usePageTitle(title);
  const classes = LAYOUTS[layout];
  const shownHeading = <PageTitle size={layout === "page" ? "large" : "small"}>{heading}</PageTitle>;
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        {action ? (
          <div className="flex flex-wrap items-center justify-between gap-3">
            {shownHeading}
            {action}
          </div>
        ) : (
          shownHeading
        )}
        {intro && <p className={`text-muted ${classes.intro}`}>{intro}</p>}
      </div>
      {children}
    </div>
  );
}

const SIZES = {
  large: "text-2xl",
  small: "text-xl",
};

export function PageTitle({ size = "large", children }: { size?: keyof typeof SIZES; children: string }) {
  return <h1 className={`font-semibold tracking-tight text-balance ${SIZES[size]}`}>{children}</h1>;
}

export function FormCard({ children }: { children: ReactNode }) {
  return <div className="rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-8">{children}</div>;
}
