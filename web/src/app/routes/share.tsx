import { messages } from "@tapthru/proto/rules/messages";
import { Navigate, useLocation } from "react-router-dom";
import { PageTitle } from "../../components/ui/page-title.tsx";
import { useIsSignedIn } from "../../features/session/session-context.tsx";
import { ShareGuide, sharedText } from "../../features/sharing/share-guide.tsx";
import { useConfig } from "../../lib/config.ts";
import { usePageTitle } from "../../lib/use-page-title.ts";
import { paths } from "../paths.ts";

/** Passes a shared text on to the field in which the user creates the link. Without one, it explains how to share. */
export default function Share() {
  usePageTitle(messages.sharing);
  const { publicBaseUrl } = useConfig();
  const isSignedIn = useIsSignedIn();
  const text = sharedText(useLocation().search);
  if (text) {
    const pathname = isSignedIn ? paths.linkCreation : paths.home;
    return <Navigate replace to={{ pathname, search: `?${new URLSearchParams({ url: text })}` }} />;
  }
  return (
    <div className="mx-auto w-full max-w-page px-4 pt-8 pb-16 sm:px-6 sm:pt-20">
      <div className="mb-7 sm:mb-10">
        <PageTitle>{messages.sharing}</PageTitle>
        <p className="mt-2 text-muted">{messages.sharingText}</p>
      </div>
      <div className="flex flex-col gap-5">
        <ShareGuide address={`${publicBaseUrl}${paths.share}`} />
      </div>
    </div>
  );
}
