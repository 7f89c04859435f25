import type { ReactNode } from "react";

interface CardProps {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}

export function Card({ title, action, children }: CardProps) {
  const heading = <h2 className="mb-4 text-lg font-semibold tracking-tight">{title}</h2>;
  return (
    <section className="min-w-0 rounded-2xl border border-line bg-surface p-5 sm:p-6">
      {action === undefined ? (
        heading
      ) : (
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 *:mb-4">
          {heading}
          {action}
        </div>
      )}
      {children}
    </section>
  );
}
