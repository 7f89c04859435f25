import type { ReactNode } from "react";
import { type Tab, TabLinks } from "../components/ui/tab-links.tsx";

interface SectionFrameProps {
  label: string;
  tabs: readonly Tab[];
  children: ReactNode;
}

export function SectionFrame({ label, tabs, children }: SectionFrameProps) {
  return (
    <div className="mx-auto flex w-full max-w-page flex-col gap-6 px-4 pt-4 pb-12 sm:px-6 lg:flex-row lg:gap-10 lg:pt-12">
      <TabLinks label={label} tabs={tabs} isAside />
      <div className="min-w-0 lg:flex-1">{children}</div>
    </div>
  );
}
