import type { NamedLink } from "@tapthru/proto/rules/display-name";
import type { ToolLook } from "../components/tool-button.tsx";
import { CopyForEmail, QrButton } from "../features/qr/qr-button.tsx";
import type { SharedLink } from "../features/qr/use-untag.ts";
import { ShareButton } from "../features/sharing/share-button.tsx";
import { useDisplayName } from "../lib/use-host.ts";

interface LinkToolsProps {
  link: NamedLink & SharedLink;
  look?: ToolLook;
}

/** Buttons that share a short link, copy it for emails and show its QR code. */
export function LinkTools({ link, look = "icon" }: LinkToolsProps) {
  const name = useDisplayName(link);
  return (
    <>
      <ShareButton shortUrl={link.shortUrl} title={name} look={look} />
      <CopyForEmail link={link} look={look} />
      <QrButton link={link} look={look} />
    </>
  );
}
