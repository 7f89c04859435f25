import { paths } from "@tapthru/proto/rules/paths";
import { LoaderCircle } from "lucide-react";
import { type ComponentType, lazy, Suspense, useEffect, useRef } from "react";
import { useNavigate } from "react-router-dom";
import { CopyButton, CopyTextButton, FAILED_TO_COPY_LINK } from "../../../components/copy-button.tsx";
import { ShortUrl } from "../../../components/short-url.tsx";
import { Button, textLinkClass } from "../../../components/ui/button.tsx";
import { OutsideLink, PageLink } from "../../../components/ui/links.tsx";
import { httpErrorOf } from "../../../lib/http/http-client.ts";
import { formatCount } from "../../../lib/locale-formats.ts";
import { returningTo } from "../../../lib/return-path.ts";
import { FOUND_LINKS_KEY, writeText } from "../../../lib/stored-texts.ts";
import { useDisplayName } from "../../../lib/use-host.ts";
import type { NewLinkTagProps } from "../tags/unknown-tag.tsx";
import { type CreatedLink, lastingMessage } from "./create-link.ts";
import { LINKS_AT_ONCE_MAX, type Line, type LinkCreations } from "./use-create-links.ts";

// Not in the first script.
const NewLinkTag = lazy<ComponentType<NewLinkTagProps>>(() =>
  import("../tags/unknown-tag.tsx").catch(() => ({ default: () => null })),
);

/** @param failed how many of the links could not be created */
const linksCreated = (created: number, failed: number) => {
  const ready = formatCount(created, "link is ready", "links are ready");
  return failed === 0 ? ready : `${ready}, ${failed} failed`;
};

interface LinkResultsProps {
  links: LinkCreations;
  /** The path of a link's details. Undefined for guests. */
  pathOf: ((shortCode: string) => string) | undefined;
}

export function LinkResults({ links: { lines, links, isRunning, leftOut, retry, clear }, pathOf }: LinkResultsProps) {
  const failed = lines.filter(({ error }) => error).length;
  const panel = useRef<HTMLElement>(null);
  const navigate = useNavigate();
  const newest = lines.at(-1)?.idempotencyKey;
  const isOnly = !isRunning && links.length === 1;
  // The links may have been pasted further down on the page.
  useEffect(() => {
    if (newest !== undefined) panel.current?.scrollIntoView({ block: "nearest" });
  }, [newest]);

  function signUp() {
    writeText(FOUND_LINKS_KEY, leftOut.join("\n"), "sessionStorage");
    navigate(returningTo(paths.import, paths.signup));
  }

  return (
    <section
      ref={panel}
      aria-label="New links"
      className="@container rounded-2xl border border-line bg-surface p-4 shadow-card motion-safe:animate-appear sm:p-5"
    >
      <div role="status" className="text-md leading-6">
        <p className="font-semibold">
          {isRunning
            ? `Creating your links: ${links.length + failed} of ${lines.length} done`
            : linksCreated(links.length, failed)}
        </p>
        {lines.some(({ isThrottled }) => isThrottled) && (
          <p className="text-sm text-muted">Too many links in a minute. The rest will follow shortly.</p>
        )}
        {leftOut.length > 0 && (
          <p className="text-sm font-medium text-notice-ink">{`Without an account you can create up to ${LINKS_AT_ONCE_MAX} links at once. ${leftOut.length} of them ${leftOut.length === 1 ? "was" : "were"} left out.`}</p>
        )}
      </div>
      <ul className="mt-2 divide-y divide-line">
        {lines.map((line) => (
          <LineItem key={line.position} line={line} pathOf={pathOf} isOnly={isOnly} onRetry={() => retry(line)} />
        ))}
      </ul>
      {!isRunning && (
        <div className="mt-3 flex flex-wrap gap-3">
          <CopyNewLinks links={links} />
          {leftOut.length > 0 && (
            <Button variant="outline" onClick={signUp}>{`Sign up to create the other ${leftOut.length}`}</Button>
          )}
          <Button variant="quiet" onClick={() => clear()}>
            Done
          </Button>
        </div>
      )}
    </section>
  );
}

function CopyNewLinks({ links }: { links: readonly CreatedLink[] }) {
  if (links.length === 0) return null;
  const [failure, text] =
    links.length === 1
      ? [FAILED_TO_COPY_LINK, "Copy link"]
      : ["Failed to copy the links. Please try again.", "Copy all"];
  return (
    <CopyTextButton ref={takeFocus} text={links.map(({ shortUrl }) => shortUrl).join("\n")} failure={failure}>
      {text}
    </CopyTextButton>
  );
}

/** Takes the focus, as the next paste is a link wherever the focus is, unless the user types or chooses something elsewhere. */
function takeFocus(button: HTMLButtonElement | null): void {
  const focused = document.activeElement;
  const isLinkField = focused instanceof HTMLInputElement && focused.name === "url" && focused.value === "";
  if (isLinkField || focused === document.body) button?.focus({ preventScroll: true });
}

interface LineItemProps extends Pick<LinkResultsProps, "pathOf"> {
  line: Line;
  isOnly: boolean;
  onRetry: () => void;
}

/** Keeps the focus of 'Try again', which disappears. */
function LineItem({ line: { address, link, error }, pathOf, isOnly, onRetry }: LineItemProps) {
  const item = useRef<HTMLLIElement>(null);
  if (link) {
    return (
      <li ref={item} tabIndex={-1}>
        <LinkOfLine link={link} pathOf={pathOf} isOnly={isOnly} />
      </li>
    );
  }
  return (
    <li ref={item} tabIndex={-1} className="flex items-start gap-3 py-3 text-sm leading-5">
      {!error && (
        <LoaderCircle
          aria-hidden
          className="mt-0.5 size-4 shrink-0 animate-spin text-accent motion-reduce:animate-pulse"
        />
      )}
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 wrap-anywhere text-muted">{address}</p>
        {error && (
          <p className="mt-1 font-medium text-danger">
            {lastingMessage(error)}{" "}
            {error.cause !== undefined && httpErrorOf(error)?.status !== 403 && (
              <button
                type="button"
                aria-label={`Try again with ${address}`}
                onClick={() => {
                  item.current?.focus();
                  onRetry();
                }}
                className={`${textLinkClass} relative after:absolute after:-inset-2`}
              >
                Try again
              </button>
            )}
          </p>
        )}
      </div>
    </li>
  );
}

function LinkOfLine({ link, pathOf, isOnly }: { link: CreatedLink } & Pick<LineItemProps, "pathOf" | "isOnly">) {
  const name = useDisplayName({ ...link, nickname: null });
  const nameClass = "line-clamp-1 text-left text-sm leading-5 wrap-anywhere text-muted";
  return (
    <div className="flex items-center gap-3 py-2 @max-narrow:flex-wrap">
      <div className="min-w-0 flex-1">
        {pathOf ? (
          <PageLink
            to={pathOf(link.shortCode)}
            dir="auto"
            className={`${nameClass} py-0.5 underline-offset-4 hover:underline`}
          >
            {name}
          </PageLink>
        ) : (
          <p dir="auto" className={nameClass}>
            {name}
          </p>
        )}
        <OutsideLink
          href={link.shortUrl}
          target="_blank"
          rel="noopener"
          className={`${textLinkClass} inline-block py-1 wrap-anywhere`}
        >
          <ShortUrl link={link} />
        </OutsideLink>
        {pathOf && (
          <Suspense>
            <NewLinkTag link={link} isBrief={!isOnly} />
          </Suspense>
        )}
      </div>
      {isOnly || <CopyButton text={link.shortUrl} label={`Copy link of ${name}`} failure={FAILED_TO_COPY_LINK} />}
    </div>
  );
}
