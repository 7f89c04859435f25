import { useQueryClient } from "@tanstack/react-query";
import type { GeneratedLink } from "@tapthru/proto/generate";
import { ANONYMOUS_LINK_EXPIRY_DAYS } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { homeTagline, homeTitle } from "@tapthru/proto/rules/site-texts";
import { Clock } from "lucide-react";
import {
  type ComponentType,
  lazy,
  type MouseEventHandler,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useState,
} from "react";
import { useNavigate } from "react-router-dom";
import { Button } from "../../components/ui/button.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";
import { useToast } from "../../components/ui/toaster.tsx";
import { HowItWorks, Questions, SellingPoints } from "../../features/landing/sections.tsx";
import { Composer, optionsNow } from "../../features/links/create/composer.tsx";
import { createLink } from "../../features/links/create/create-link.ts";
import type { CreatedLinkProps } from "../../features/links/create/created-link-box.tsx";
import { isMissingMetadata, useCreateLink, useMetadataRetry } from "../../features/links/create/use-create-links.ts";
import { usePrefilledLink } from "../../features/links/create/use-prefilled-link.ts";
import { useIsSignedIn, useSession, useSessionControl } from "../../features/session/session-context.tsx";
import { useRecentLinksText } from "../../features/session/use-recent-links-text.ts";
import { createIdempotencyKey } from "../../lib/hash.ts";
import { PRELOAD_AFTER_MS } from "../../lib/timeouts.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";

const RecentLinks = lazy(() =>
  import("../../features/session/recent-links.tsx").catch(() => ({
    default: ({ fallback }: { fallback: ReactNode }) => fallback,
  })),
);

const loadCreatedLink = () => import("../../features/links/create/created-link-box.tsx");
const CreatedLink = lazy<ComponentType<CreatedLinkProps>>(() =>
  loadCreatedLink().catch(() => ({
    default: ({ link: { shortUrl } }) => <OutsideLink href={shortUrl}>{shortUrl}</OutsideLink>,
  })),
);

const SAMPLE = ["https://www.amazon.com/dp/B004LLIKVU", "Try it with an Amazon gift card"] as const;

export default function Home() {
  usePageTitle();
  const navigate = useNavigate();
  const toast = useToast();
  const session = useSessionControl();
  const { isAuthenticated } = useSession();
  const isSignedIn = useIsSignedIn();
  /** The code of a link that a signed-in user created. Without a backend session, the link stays on this page. */
  const [ownShortCode, setOwnShortCode] = useState<string>();
  const prefilled = usePrefilledLink();
  useEffect(() => {
    const timer = setTimeout(() => void loadCreatedLink().catch(() => {}), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const one = useCreateLink(async (created) => {
    setIncomplete(isMissingMetadata(created) ? created : undefined);
    if (session.get().identity) setOwnShortCode(created.shortCode);
    if (await prefilled.copy(created)) return;
    const title = created.isExisting ? "You already have this link" : "Link generated!";
    toast({ title, description: "Your deep link is ready to be shared" });
  }, prefilled.begin);
  const { completed, setIncomplete } = useCompletedLink();
  const { lines, links, isRunning, clear } = one.links;
  const created = one.line?.link;
  const link = completed?.originalUrl === created?.originalUrl ? completed : created;
  const shownLinks = link ? [link] : links;
  const isPending = one.line !== undefined && isRunning;
  const isListed = lines.length > 0 && !one.line;
  const hasRecentLinks = useRecentLinksText() !== null && !isSignedIn;
  const openOwn = useEffectEvent((shortCode: string) => {
    clear((line) => line.link?.shortCode === shortCode);
    navigate(paths.link(shortCode));
  });
  useEffect(() => {
    if (ownShortCode && isAuthenticated) openOwn(ownShortCode);
  }, [ownShortCode, isAuthenticated]);

  const isOnlyRecent = hasRecentLinks && !isPending && shownLinks.length === 0;
  const sellingPoints = !isPending && !link && !isListed && <SellingPoints />;

  return (
    <div className="mx-auto w-full max-w-page flex-1 px-4 pt-8 pb-12 text-center sm:px-6 sm:pt-16">
      <h1 className="text-2xl font-semibold tracking-tight text-balance">{homeTitle}</h1>
      <p className="mx-auto mt-3 max-w-xl leading-6 text-balance text-muted sm:mt-4 sm:text-lg sm:leading-7">
        {homeTagline}
      </p>
      <div className="mt-7 text-start sm:mt-10">
        <div className="mx-auto max-w-form">
          <Composer
            links={one.links}
            one={one}
            placeholder="Paste a dp, gp or storefront link"
            prefilled={prefilled.text}
            options={isAuthenticated ? "shown" : undefined}
            sample={isSignedIn || hasRecentLinks || lines.length > 0 ? undefined : SAMPLE}
            pathOf={isSignedIn ? paths.link : undefined}
            onEdit={() => setIncomplete(undefined)}
          />
          {/* As tall as a two-line result with its note and warning, so that the layout does not shift. On a phone, what is
            below recent links is outside the window. */}
          <div className={`mt-4 flex flex-col gap-3 sm:min-h-80 ${isOnlyRecent ? "" : "min-h-124"}`}>
            {link && (
              <Suspense>
                <CreatedLink link={link} onTagged={() => one.create(link.originalUrl, optionsNow())} />
              </Suspense>
            )}
            {shownLinks.length > 0 && !isSignedIn && !isRunning && (
              <SignedOutNotice
                count={shownLinks.length}
                onSignUp={async ({ detail }) => {
                  if (detail > 1) return;
                  for (const shown of shownLinks) await session.keepLink(shown);
                  navigate(paths.signup);
                }}
              />
            )}
            {hasRecentLinks ? (
              <Suspense fallback={sellingPoints}>
                <RecentLinks shown={shownLinks} fallback={sellingPoints} />
              </Suspense>
            ) : (
              sellingPoints
            )}
          </div>
        </div>
        <div className={`mt-12 grid gap-x-8 gap-y-10 lg:mt-8 lg:gap-x-12 ${isSignedIn ? "" : "md:grid-cols-2"}`}>
          <HowItWorks />
          {!isSignedIn && <Questions />}
        </div>
      </div>
    </div>
  );
}

/** Generates a link that has neither title nor image again, once there is one. */
function useCompletedLink() {
  const queryClient = useQueryClient();
  const [incomplete, setIncomplete] = useState<GeneratedLink>();
  const [completed, setCompleted] = useState<GeneratedLink>();
  useMetadataRetry(incomplete, async ({ originalUrl }, isFound) => {
    if (!isFound) return;
    const again = { address: originalUrl, options: optionsNow(), idempotencyKey: createIdempotencyKey() };
    try {
      setCompleted(await createLink(queryClient, again));
    } catch (error) {
      console.warn("Failed to complete the link's metadata:", error);
    }
  });
  return { completed, setIncomplete };
}

function SignedOutNotice({ count, onSignUp }: { count: number; onSignUp: MouseEventHandler }) {
  const [links, them] = count === 1 ? ["This link expires", "it"] : ["These links expire", "them"];
  return (
    <div className="flex flex-col gap-4 rounded-2xl bg-notice p-4 text-notice-ink sm:flex-row sm:items-center sm:p-5">
      <p className="flex flex-1 items-start gap-3 text-md leading-6 text-pretty">
        <Clock aria-hidden className="mt-0.5 size-5 shrink-0" />
        {`${links} in ${ANONYMOUS_LINK_EXPIRY_DAYS} days. Sign up to keep ${them}.`}
      </p>
      <Button variant="outline" onClick={onSignUp}>
        Sign up for free
      </Button>
    </div>
  );
}
