import type { ReactNode } from "react";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { OutsideLink } from "../../../components/ui/links.tsx";

interface NewTabLinkProps {
  /** If null, the content is plain text. */
  href: string | null;
  children: ReactNode;
}

export function NewTabLink({ href, children }: NewTabLinkProps) {
  if (href === null) return <span className="wrap-anywhere">{children}</span>;
  return (
    <OutsideLink href={href} target="_blank" rel="noopener" className={`${textLinkClass} wrap-anywhere`}>
      {children}
    </OutsideLink>
  );
}
