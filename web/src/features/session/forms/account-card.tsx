import { messages } from "@tapthru/proto/rules/messages";
import { Link2 } from "lucide-react";
import type { ReactNode } from "react";
import { FormCard, NarrowPage } from "../../../components/ui/narrow-page.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { readPendingLinks } from "../stored-pending-links.ts";

interface AccountCardProps {
  title: string;
  text: string;
  children: ReactNode;
  footer: ReactNode;
}

/** The layout of the login and sign-up pages. */
export function AccountCard({ title, text, children, footer }: AccountCardProps) {
  return (
    <NarrowPage title={title} text={text}>
      {readPendingLinks().length > 0 && (
        <div className="mb-6">
          <Notice icon={Link2}>{messages.pendingLinkNotice}</Notice>
        </div>
      )}
      <FormCard>{children}</FormCard>
      <p className="mt-6 text-center text-md text-muted">{footer}</p>
    </NarrowPage>
  );
}
