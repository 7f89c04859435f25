import { LoaderCircle } from "lucide-react";
import { useRef } from "react";
import { CopyButton } from "../../../components/copy-button.tsx";
import { ShortUrl } from "../../../components/short-url.tsx";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { OutsideLink, PageLink } from "../../../components/ui/links.tsx";
import { useDisplayName } from "../../../lib/use-host.ts";
import { CHANNEL_TAG_MISSING, type CreatedLink, LinkGenerationError } from "../api.ts";
import type { BatchLine } from "./batch-entry.ts";

interface BatchItemProps {
  line: BatchLine;
  pathOf: ((shortCode: string) => string) | undefined;
  onRetry: (line: BatchLine) => void;
}

/** A pasted link: its short link, or why there is none. Keeps the focus of 'Try again', which disappears. */
export function BatchItem({ line, pathOf, onRetry }: BatchItemProps) {
  const item = useRef<HTMLLIElement>(null);
  function retry() {
    item.current?.focus();
    onRetry(line);
  }

  return (
    <li ref={item} tabIndex={-1} className="rounded-lg">
      {line.link ? <LinkOfLine link={line.link} pathOf={pathOf} /> : <PendingLink line={line} onRetry={retry} />}
    </li>
  );
}

function PendingLink({ line: { address, error }, onRetry }: Pick<BatchItemProps, "line"> & { onRetry: () => void }) {
  return (
    <div className="flex items-start gap-3 py-3 text-sm leading-5">
      <LoaderCircle aria-hidden className={error ? "hidden" : SPINNER} />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 wrap-anywhere text-muted">{address}</p>
        {error && (
          <p className="mt-1 font-medium text-danger">
            {error instanceof LinkGenerationError ? error.message : "Failed to generate link"}{" "}
            {error.cause !== undefined && (
              <button
                type="button"
                aria-label={`Try again with ${address}`}
                onClick={onRetry}
                className={`${textLinkClass} relative after:absolute after:-inset-2`}
              >
                Try again
              </button>
            )}
          </p>
        )}
      </div>
    </div>
  );
}

const SPINNER = "mt-0.5 size-4 shrink-0 animate-spin text-accent motion-reduce:animate-pulse";

function LinkOfLine({ link, pathOf }: { link: CreatedLink } & Pick<BatchItemProps, "pathOf">) {
  const name = useDisplayName({ ...link, nickname: null });
  return (
    <div className="flex items-center gap-3 py-2 @max-narrow:flex-wrap">
      <div className="min-w-0 flex-1">
        <BatchLinkTitle to={pathOf?.(link.shortCode)}>{name}</BatchLinkTitle>
        <OutsideLink
          href={link.shortUrl}
          target="_blank"
          rel="noopener"
          className={`${textLinkClass} inline-block py-1 wrap-anywhere`}
        >
          <ShortUrl link={link} />
        </OutsideLink>
        {link.lacksChannelTag && <p className="text-sm leading-5 font-medium text-danger">{CHANNEL_TAG_MISSING}</p>}
      </div>
      <CopyButton text={link.shortUrl} label={`Copy link of ${name}`} />
    </div>
  );
}

/** The name of a link, which leads to its details if there are any. */
function BatchLinkTitle({ to, children }: { to: string | undefined; children: string }) {
  const className = "line-clamp-1 text-left text-sm leading-5 wrap-anywhere text-muted";
  if (to === undefined) {
    return (
      <p dir="auto" className={className}>
        {children}
      </p>
    );
  }
  return (
    <PageLink to={to} dir="auto" className={`${className} py-0.5 underline-offset-4 hover:underline`}>
      {children}
    </PageLink>
  );
}
