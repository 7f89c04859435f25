import type { NamedLink } from "@tapthru/proto/rules/display-name";
import { type LucideIcon, Mail, QrCode, Share2 } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { FAILED_TO_COPY_LINK_TRY_AGAIN, useCopy } from "../../../components/copy-button.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { useDisplayName } from "../../../lib/use-host.ts";
import { QrDialog } from "./qr-dialog.tsx";
import { hasTag, type SharedLink, useUntag } from "./use-untag.ts";

export function LinkTools({ link, look = "icon" }: { link: NamedLink & SharedLink; look?: ToolLook }) {
  const name = useDisplayName(link);
  return (
    <>
      <ShareButton shortUrl={link.shortUrl} title={name} look={look} />
      <CopyForEmail link={link} look={look} />
      <QrButton link={link} look={look} />
    </>
  );
}

/** The user closed the share sheet, or it was already open. */
const IGNORED_ERRORS = new Set(["AbortError", "InvalidStateError"]);

/** Opens the system's share sheet. Renders nothing if the browser has none, as over plain http. */
function ShareButton({ shortUrl, title, look }: { shortUrl: string; title: string; look: ToolLook }) {
  const showError = useErrorToast();
  if (!("share" in navigator)) return null;

  async function share() {
    try {
      await navigator.share({ title, url: shortUrl });
    } catch (error) {
      if (error instanceof DOMException && IGNORED_ERRORS.has(error.name)) return;
      showError("Failed to share link. Please try again.");
    }
  }

  return <ToolButton look={look} icon={Share2} label="Share link" text="Share" onClick={share} />;
}

interface LinkToolProps {
  link: SharedLink;
  look: ToolLook;
}

function QrButton({ link, look }: LinkToolProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ToolButton
        look={look}
        icon={QrCode}
        label="Show QR code"
        text="QR code"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && <QrDialog link={link} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Copies the short link without tag. Renders nothing for links that have no tag, or no owner. */
function CopyForEmail({ link, look }: LinkToolProps) {
  const { copy } = useCopy(
    FAILED_TO_COPY_LINK_TRY_AGAIN,
    "Copied the link without tag: Amazon's rules refuse tags in mail. Its taps are counted apart.",
  );
  const { untag, isOffered, isPending } = useUntag(link);
  const showError = useErrorToast();
  if (link.untaggedUrl === undefined || !isOffered || !hasTag(link)) return null;
  return (
    <ToolButton
      look={look}
      icon={Mail}
      label="Copy for email"
      text="Copy for email"
      aria-disabled={isPending}
      onClick={() => {
        if (isPending) return;
        const url = untag();
        url.catch(({ message }) => showError(message));
        void copy(url);
      }}
    />
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
