import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { appChoices, appHint, appPage } from "@tapthru/proto/rules/app-opening/app-page";
import { openOriginalStore } from "@tapthru/proto/rules/messages/small-pages";
import { markTag } from "./mark-tag.ts";
import type { ReferringApp } from "./openings.ts";

interface PlaceOpeningProps {
  place: ReferringApp;
  page: StorePage;
  /** The link's own destination, if the visit goes to another store. */
  original: StorePage | null;
  shortUrl: string;
}

/** Shows what the app-opening page does in one app, and every address it offers there. */
export function PlaceOpening({ place, page, original, shortUrl }: PlaceOpeningProps) {
  const { strategy, isAutomatic, isUnidentified } = place;
  const { webUrl, marketplace } = page;
  const openingPage = appPage({
    webUrl,
    marketplace,
    strategy,
    pageUrl: shortUrl,
    isEscaped: false,
  });
  return (
    <div aria-live="polite" className="flex flex-col gap-4">
      <div className="text-md leading-6 text-pretty">
        {isUnidentified && (
          <p className="text-muted">This app can't be identified, so it gets the same page as a browser.</p>
        )}
        <p>
          {isAutomatic
            ? "Opens the Amazon app automatically. Backup buttons:"
            : "Opens the Amazon app with one tap. Buttons on the page:"}
        </p>
        {strategy.escape === "by-hand" && <p className="mt-1 text-muted">{appHint(strategy)}</p>}
      </div>
      <ol className="flex flex-col gap-4">
        {appChoices(openingPage).map(({ kind, text, url }) => (
          <li key={kind}>
            <p className="mb-1.5 text-sm font-medium">{text}</p>
            <MarkedAddress address={url} page={page} />
          </li>
        ))}
        {original !== null && (
          <li>
            <p className="mb-1.5 text-sm font-medium">{openOriginalStore(`amazon.${original.marketplace}`)}</p>
            <MarkedAddress address={original.webUrl} page={original} />
          </li>
        )}
      </ol>
    </div>
  );
}

/** An unshortened address in which the page's tag is marked. */
export function MarkedAddress({ address, page }: { address: string; page: StorePage }) {
  let start = 0;
  const segments = markTag(address, page).map((segment) => {
    const positioned = { ...segment, start };
    start += segment.text.length;
    return positioned;
  });
  return (
    <code className="block rounded-xl bg-sunken p-3 font-mono text-code leading-5 break-all">
      {segments.map(({ start, text, isTag }) =>
        isTag ? (
          <mark key={start} className="inline-block max-w-full rounded-sm bg-toast font-semibold text-toast-ink">
            {text}
          </mark>
        ) : (
          <span key={start}>{text}</span>
        ),
      )}
    </code>
  );
}
