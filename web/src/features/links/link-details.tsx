import type { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import type { ReactNode } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { LinkPicture } from "../../components/link-picture.tsx";
import { ShortUrl } from "../../components/short-url.tsx";
import { textLinkClass } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";
import { useDisplayName } from "../../lib/use-display-name.ts";
import { useHost } from "../../lib/use-host.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { DeleteButton } from "./delete-button.tsx";
import { EditableText } from "./editable-text.tsx";
import { LinkBadges, LinkNotices } from "./link-state.tsx";

interface LinkDetailsProps {
  link: Link;
  onDeleted: () => void;
  /** Buttons beside the copy button. */
  tools: ReactNode;
  /** Further cards. */
  children: ReactNode;
}

export function LinkDetails({ link, onDeleted, tools, children }: LinkDetailsProps) {
  const name = useDisplayName(link);
  const host = useHost();
  usePageTitle(name);
  return (
    <>
      <header className="@container mb-6 sm:mb-8">
        <EditableText
          link={link}
          field="nickname"
          text={name}
          className="text-2xl leading-tight text-pretty font-semibold tracking-tight sm:text-3xl"
          as="h1"
        />
        <div className="mt-2 flex items-center gap-1 @max-narrow:flex-wrap">
          <span className="min-w-0 @max-narrow:basis-full">
            <ExternalLink href={link.invalid ? null : link.shortUrl}>
              <ShortUrl link={link} />
            </ExternalLink>
          </span>
          {link.invalid ? (
            <LinkBadges link={link} />
          ) : (
            <CopyButton text={link.shortUrl} label={messages.copyLink} />
          )}
          {tools}
        </div>
      </header>
      <div className="flex flex-col gap-4">
        <LinkNotices link={link} />
        <Card title={messages.preview}>
          <h3 className={`mb-1 ${LABEL}`}>{messages.title}</h3>
          <EditableText link={link} field="title" text={link.title ?? host} as="p" />
          <h3 className={`mt-5 mb-2 ${LABEL}`}>{messages.image}</h3>
          <LinkPicture src={link.imageUrl} size="large" />
        </Card>
        <Card title={messages.originalUrl}>
          <ExternalLink href={link.invalid ? null : link.webUrl}>{link.originalUrl}</ExternalLink>
        </Card>
        {children}
        <DeleteButton link={link} onDeleted={onDeleted} />
      </div>
    </>
  );
}

const LABEL = "text-sm text-muted";

/** A link that opens a new tab. Plain text if href is null. */
function ExternalLink({ href, children }: { href: string | null; children: ReactNode }) {
  if (href === null) return <span className="wrap-anywhere">{children}</span>;
  return (
    <OutsideLink
      href={href}
      target="_blank"
      rel="noopener"
      className={`${textLinkClass} wrap-anywhere`}
    >
      {children}
    </OutsideLink>
  );
}
