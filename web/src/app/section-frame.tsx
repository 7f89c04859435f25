import type { ReactNode } from "react";
import { TabLinks } from "../components/ui/tab-links.tsx";

interface SectionFrameProps {
  label: string;
  tabs: readonly { to: string; name: string }[];
  children: ReactNode;
}

/** A section of a page, with links to all of them: at the left in wide windows, else in a row above it. */
export function SectionFrame({ label, tabs, children }: SectionFrameProps) {
  return (
    <div className="mx-auto flex w-full max-w-page flex-col gap-6 px-4 pt-4 pb-12 sm:px-6 lg:max-w-wide lg:flex-row lg:gap-10 lg:pt-12">
      <div className="lg:w-52 lg:shrink-0">
        <TabLinks label={label} tabs={tabs} isListOnWide />
      </div>
      <div className="min-w-0 lg:flex-1">{children}</div>
    </div>
  );
}
