import { messages } from "@tapthru/proto/rules/messages";
import { useNavigate } from "react-router-dom";
import { useToast } from "../../components/ui/toaster.tsx";
import { VersionLabel } from "../../features/app-version/version-label.tsx";
import { LinkField } from "../../features/link-generation/link-field.tsx";
import { keepPendingLink } from "../../features/link-generation/pending-link.ts";
import { ResultBox } from "../../features/link-generation/result-box.tsx";
import { useShowLink } from "../../features/link-generation/shown-link.tsx";
import { SignedOutNotice } from "../../features/link-generation/signed-out-notice.tsx";
import { useLinkGeneration } from "../../features/link-generation/use-link-generation.ts";
import { useConfig } from "../../lib/config.ts";
import { paths } from "../paths.ts";

export function Home() {
  const { productName } = useConfig();
  const navigate = useNavigate();
  const toast = useToast();
  const { link, isPending, generate, dropRetry } = useLinkGeneration(() =>
    toast({ title: messages.linkGenerated, description: messages.linkReadyToShare }),
  );
  useShowLink(link);

  return (
    <>
      <title>{productName}</title>
      <div className="mx-auto w-full max-w-2xl flex-1 px-4 pt-12 pb-16 sm:px-6 sm:pt-20">
        <h1 className="text-center text-4xl font-semibold tracking-tight text-balance sm:text-5xl">
          {messages.homeTitle}
        </h1>
        <p className="mx-auto mt-4 max-w-xl text-center text-lg leading-7 text-pretty text-muted">
          {messages.homeTagline}
        </p>
        <div className="mt-10">
          <LinkField
            placeholder={messages.homePlaceholder}
            pending={isPending}
            onLink={generate}
            onEdit={dropRetry}
          />
        </div>
        <div className="mt-4">
          {link && (
            <div className="grid gap-3">
              <ResultBox link={link} />
              <SignedOutNotice
                onSignUp={() => {
                  keepPendingLink(link, paths.dashboard);
                  navigate(paths.signup);
                }}
              />
            </div>
          )}
        </div>
      </div>
      <footer className="p-4 text-center">
        <VersionLabel />
      </footer>
    </>
  );
}
