import type { ReactNode } from "react";
import { usePageTitle } from "../../lib/use-page-title.ts";

const PAGE = "mx-auto w-full px-4 pt-8 pb-16 sm:px-6";

const LAYOUTS = {
  /** For pages with much content. */
  dense: {
    page: `${PAGE} max-w-page sm:pt-14`,
    head: "mb-6 sm:mb-8",
    intro: "mt-3 max-w-2xl leading-6 text-pretty",
  },
  /** For lists. */
  wide: {
    page: `${PAGE} max-w-page sm:pt-14 lg:max-w-wide`,
    head: "mb-2 sm:mb-4",
    intro: "mt-3 max-w-2xl leading-6 text-pretty",
  },
  airy: { page: `${PAGE} max-w-page sm:pt-20`, head: "mb-7 sm:mb-10", intro: "mt-2" },
  /** For a section of a page that has a frame. */
  section: { page: "flex flex-col gap-5", head: "", intro: "mt-2 max-w-2xl leading-6 text-pretty" },
  /** For pages with one form. */
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
  /** Beside the heading. */
  action?: ReactNode;
  children: ReactNode;
}

export function Page({ layout = "dense", title, heading = title, intro, action, children }: PageProps) {
  usePageTitle(title);
  const classes = LAYOUTS[layout];
  const shownHeading = (
    <PageTitle size={layout === "narrow" || layout === "section" ? "small" : "large"}>{heading}</PageTitle>
  );
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
  large: "text-3xl sm:text-4xl",
  /** For a narrow column. */
  small: "text-2xl sm:text-3xl",
};

export function PageTitle({ size = "large", children }: { size?: keyof typeof SIZES; children: string }) {
  return <h1 className={`font-semibold tracking-tight text-balance ${SIZES[size]}`}>{children}</h1>;
}

/** The card around the form of a narrow page. */
export function FormCard({ children }: { children: ReactNode }) {
  return <div className="rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-8">{children}</div>;
}
