import { paths } from "@tapthru/proto/rules/paths";
import { Navigate, useLocation } from "react-router-dom";
import { Page } from "../../components/ui/page.tsx";
import { ShareGuide, sharedText } from "../../features/links/sharing/share-guide.tsx";
import { useIsSignedIn } from "../../features/session/session-context.tsx";
import { useConfig } from "../../lib/config.ts";

/** Passes a shared text on to the field in which the user creates the link. Without one, it explains how to share. */
export default function Share() {
  const { publicBaseUrl } = useConfig();
  const isSignedIn = useIsSignedIn();
  const text = sharedText(useLocation().search);
  if (text) {
    const pathname = isSignedIn ? paths.linkCreation : paths.home;
    return <Navigate replace to={{ pathname, search: `?${new URLSearchParams({ url: text })}` }} />;
  }
  return (
    <Page
      layout={isSignedIn ? "section" : "page"}
      title="Share links from other apps"
      intro="Turn the product you are looking at into a short link, without copying its address."
    >
      <div className="flex flex-col gap-5">
        <ShareGuide address={`${publicBaseUrl}${paths.share}`} />
      </div>
    </Page>
  );
}
