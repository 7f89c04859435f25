import { messages } from "@tapthru/proto/rules/messages";
import { Link2 } from "lucide-react";
import type { ReactNode } from "react";
import { Notice } from "../../../components/ui/notice.tsx";
import { PageTitle } from "../../../components/ui/page-title.tsx";
import { readPendingLink } from "../stored-pending-link.ts";

interface AccountCardProps {
  title: string;
  text: string;
  children: ReactNode;
  footer: ReactNode;
}

/** The layout of the login and sign-up pages. */
export function AccountCard({ title, text, children, footer }: AccountCardProps) {
  return (
    <div className="mx-auto w-full max-w-md px-4 pt-8 pb-16 sm:px-6 sm:pt-20">
      <div className="text-center">
        <PageTitle size="small">{title}</PageTitle>
      </div>
      <p className="mt-2 text-center leading-6 text-pretty text-muted">{text}</p>
      {readPendingLink() && (
        <div className="mt-6">
          <Notice icon={Link2}>{messages.linkComesAlong}</Notice>
        </div>
      )}
      <div className="mt-6 rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-8">
        {children}
      </div>
      <p className="mt-6 text-center text-md text-muted">{footer}</p>
    </div>
  );
}
