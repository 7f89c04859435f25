import { messages } from "@tapthru/proto/rules/messages";
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useErrorToast, useToast } from "../../components/ui/toaster.tsx";
import { GuestSections, HowItWorks, PhoneDemo } from "../../features/landing/sections.tsx";
import { BatchPanel } from "../../features/link-generation/batch/batch-panel.ts";
import { useLinkBatch } from "../../features/link-generation/batch/use-link-batch.ts";
import { LINK_IN_PROGRESS, LinkField } from "../../features/link-generation/link-field.tsx";
import { useSetLinkShown } from "../../features/link-generation/link-shown.tsx";
import { type NewLinks, useNewLinks } from "../../features/link-generation/new-links.ts";
import { ResultSkeleton, SignedOutNotice } from "../../features/link-generation/result-messages.tsx";
import { SellingPoints } from "../../features/link-generation/selling-points.tsx";
import { useLinkGeneration } from "../../features/link-generation/use-link-generation.ts";
import { usePrefilledLink } from "../../features/link-generation/use-prefilled-link.ts";
import { useIsSignedIn, useSession, useSessionControl } from "../../features/session/session-context.tsx";
import { useRecentLinksText } from "../../features/session/use-recent-links-text.ts";
import { onFirstInteractionOrLater } from "../../lib/first-interaction.ts";
import { useNavigateOnce } from "../../lib/use-navigate-once.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { CreatedLink, loadCreatedLink } from "../created-link.ts";
import { paths } from "../paths.ts";

const RecentLinks = lazy(() =>
  import("../../features/session/recent-links.tsx").catch(() => ({
    default: ({ fallback }: { fallback: ReactNode }) => fallback,
  })),
);

const NewLinkChoices = lazy<ComponentType<{ newLinks: NewLinks }>>(() =>
  import("../../features/link-generation/new-link-choices.tsx").catch(() => ({
    default: () => null,
  })),
);

export default function Home() {
  usePageTitle();
  const navigate = useNavigate();
  const navigateOnce = useNavigateOnce();
  const toast = useToast();
  const showError = useErrorToast();
  const session = useSessionControl();
  const { status, isAuthenticated } = useSession();
  const isSignedIn = useIsSignedIn();
  /** The code of a link that a signed-in user created. Without a backend session, the link stays on this page. */
  const [ownShortCode, setOwnShortCode] = useState<string>();
  const prefilled = usePrefilledLink();
  useEffect(() => onFirstInteractionOrLater(() => void loadCreatedLink().catch(() => {})), []);
  const generation = useLinkGeneration(loadCreatedLink, async (link) => {
    if (session.get().identity) setOwnShortCode(link.shortCode);
    if (await prefilled.copy(link)) return;
    const title = link.isExisting ? "You already have this link" : "Link generated!";
    toast({ title, description: "Your deep link is ready to be shared" });
  });
  const { link, isPending } = generation;
  const newLinks = useNewLinks();
  const optionsNow = () => (isSignedIn ? newLinks.now() : {});
  const [taggedUrl, setTaggedUrl] = useState<string>();
  const batch = useLinkBatch();
  const isBatchShown = batch.lines.length > 0;
  const shownLinks = isBatchShown || !link ? batch.links : [link];
  const hasRecentLinks = useRecentLinksText() !== null && !isSignedIn;
  useEffect(() => {
    if (ownShortCode && isAuthenticated) navigate(paths.link(ownShortCode));
  }, [ownShortCode, isAuthenticated, navigate]);
  useSetLinkShown(shownLinks.length > 0);

  function signUp() {
    navigateOnce(() => navigate(paths.signup));
  }

  const isOnlyRecent = hasRecentLinks && !isPending && shownLinks.length === 0;
  const sellingPoints = !isPending && !link && !isBatchShown && <SellingPoints />;

  return (
    <div className="mx-auto w-full max-w-page flex-1 px-4 pt-8 pb-12 sm:px-6 sm:pt-16 lg:max-w-wide lg:pt-10 lg:pb-8">
      <div className="grid grid-cols-1 gap-x-8 lg:grid-cols-[minmax(0,1fr)_--spacing(72)]">
        <div className="text-center lg:pt-4 lg:text-start">
          <h1 className="text-3xl font-semibold tracking-tight text-balance sm:text-5xl">{messages.homeTitle}</h1>
          <p className="mx-auto mt-3 max-w-xl leading-6 text-balance text-muted sm:mt-4 sm:text-lg sm:leading-7 lg:mx-0">
            {messages.homeTagline}
          </p>
          <div className="mt-7 text-start sm:mt-10 lg:mt-8">
            <LinkField
              placeholder="Paste a dp, gp or storefront link"
              pending={isPending || batch.isRunning}
              replacement={taggedUrl ?? prefilled.text}
              hasButton={prefilled.text !== undefined}
              error={generation.error}
              onLink={(url) => {
                batch.clear();
                setTaggedUrl(undefined);
                generation.generate(url, optionsNow());
              }}
              onLinks={(addresses) => (isPending ? showError(LINK_IN_PROGRESS) : batch.add(addresses, optionsNow()))}
              onEdit={generation.onEdit}
            />
            {isAuthenticated && (
              <Suspense>
                <NewLinkChoices newLinks={newLinks} />
              </Suspense>
            )}
          </div>
          {/* As tall as a two-line result with its note and warning, so that the layout does not shift. On a phone, what is
              below recent links is outside the window. */}
          <div className={`mt-4 flex flex-col gap-3 text-start sm:min-h-64 ${isOnlyRecent ? "" : "min-h-121"}`}>
            {isPending && <ResultSkeleton />}
            {isBatchShown && (
              <Suspense>
                <BatchPanel batch={batch} pathOf={isSignedIn ? paths.link : undefined} />
              </Suspense>
            )}
            {link && !isBatchShown && (
              <Suspense>
                <CreatedLink
                  link={link}
                  isMember={isAuthenticated}
                  pending={isPending}
                  onTagged={(url) => {
                    setTaggedUrl(url);
                    generation.generate(url, optionsNow());
                  }}
                />
              </Suspense>
            )}
            {shownLinks.length > 0 &&
              (!isSignedIn || status === "unknown" || status === "failed") &&
              !batch.isRunning && <SignedOutNotice count={shownLinks.length} onSignUp={signUp} />}
            {hasRecentLinks ? (
              <Suspense fallback={sellingPoints}>
                <RecentLinks shown={shownLinks} fallback={sellingPoints} />
              </Suspense>
            ) : (
              sellingPoints
            )}
          </div>
        </div>
        <div className="mx-auto mt-4 w-64 max-w-full lg:mt-0 lg:w-72">
          <PhoneDemo />
        </div>
      </div>
      <HowItWorks />
      {!isSignedIn && <GuestSections />}
    </div>
  );
}
