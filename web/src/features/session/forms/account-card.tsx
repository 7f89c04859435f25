import { Link2 } from "lucide-react";
import type { ReactNode } from "react";
import { Notice } from "../../../components/ui/notice.tsx";
import { FormCard, Page } from "../../../components/ui/page.tsx";
import { readPendingLinks } from "../stored-links.ts";

const pendingLinksNotice = (count: number) =>
  count === 1
    ? "The link you created in this browser will be on your dashboard."
    : `The ${count} links you created in this browser will be on your dashboard.`;

interface AccountCardProps {
  title: string;
  heading: string;
  text: string;
  children: ReactNode;
  footer: ReactNode;
}

export function AccountCard({ title, heading, text, children, footer }: AccountCardProps) {
  const pendingCount = readPendingLinks().length;
  return (
    <Page layout="narrow" title={title} heading={heading} intro={text}>
      {pendingCount > 0 && (
        <div className="mb-6">
          <Notice icon={Link2}>{pendingLinksNotice(pendingCount)}</Notice>
        </div>
      )}
      <FormCard>{children}</FormCard>
      {footer && <p className="mt-6 text-center text-md text-muted">{footer}</p>}
    </Page>
  );
}
