import type { NamedLink } from "@tapthru/proto/rules/display-name";
import { type LucideIcon, Mail, QrCode, Share2 } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { FAILED_TO_COPY_LINK_TRY_AGAIN, useCopy } from "../../../components/copy-button.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { useDisplayName } from "../../../lib/use-host.ts";
import { hasTag, QrDialog, type SharedLink, useUntag } from "./qr-dialog.tsx";

const COPIED_FOR_EMAIL = "Copied the link without a tag, as Amazon's rules require. Its taps are counted separately.";
/** The user closed the share sheet, or it was already open. */
const IGNORED_ERRORS = new Set(["AbortError", "InvalidStateError"]);

/** Browsers without a share sheet, as over plain http, have no Share. Only a link with a tag and an owner has a copy without tag. */
export function LinkTools({ link, look = "icon" }: { link: NamedLink & SharedLink; look?: ToolLook }) {
  const title = useDisplayName(link);
  const showError = useErrorToast();
  const [isQrOpen, setQrOpen] = useState(false);
  const { copy } = useCopy(FAILED_TO_COPY_LINK_TRY_AGAIN, COPIED_FOR_EMAIL);
  const { untag, isOffered, isPending } = useUntag(link);

  function share() {
    navigator.share({ title, url: link.shortUrl }).catch(({ name }) => {
      if (!IGNORED_ERRORS.has(name)) showError("Failed to share link. Please try again.");
    });
  }

  function copyForEmail() {
    if (isPending) return;
    const url = untag();
    url.catch(({ message }) => showError(message));
    void copy(url);
  }

  return (
    <>
      {"share" in navigator && <ToolButton look={look} icon={Share2} label="Share link" text="Share" onClick={share} />}
      {link.plainUrl !== undefined && isOffered && hasTag(link) && (
        <ToolButton
          look={look}
          icon={Mail}
          label="Copy for email"
          text="Copy for email"
          aria-busy={isPending}
          onClick={copyForEmail}
        />
      )}
      <ToolButton
        look={look}
        icon={QrCode}
        label="Show QR code"
        text="QR code"
        aria-haspopup="dialog"
        onClick={() => setQrOpen(true)}
      />
      {isQrOpen && <QrDialog link={link} onClose={() => setQrOpen(false)} />}
    </>
  );
}

/** `icon`: only an icon, with a tooltip. `tile`: an icon with a text, for a row of actions. */
type ToolLook = "icon" | "tile";

interface ToolButtonProps extends Omit<ComponentProps<"button">, "className" | "children"> {
  look: ToolLook;
  icon: LucideIcon;
  label: string;
  text: string;
}

function ToolButton({ look, icon: Icon, label, text, ...props }: ToolButtonProps) {
  if (look === "icon") return <IconButton icon={Icon} label={label} {...props} />;
  return (
    <Button variant="outline" shape="tile" aria-label={label} {...props}>
      <Icon aria-hidden className="size-4.5" />
      {text}
    </Button>
  );
}
