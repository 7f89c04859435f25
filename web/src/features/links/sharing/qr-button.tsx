import { Mail, QrCode } from "lucide-react";
import { useState } from "react";
import { FAILED_TO_COPY_LINK_TRY_AGAIN, useCopy } from "../../../components/copy-button.tsx";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { QrDialog } from "./qr-dialog.tsx";
import { ToolButton, type ToolLook } from "./tool-button.tsx";
import { hasTag, type SharedLink, useUntag } from "./use-untag.ts";

interface LinkToolProps {
  link: SharedLink;
  look: ToolLook;
}

export function QrButton({ link, look }: LinkToolProps) {
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
export function CopyForEmail({ link, look }: LinkToolProps) {
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
