import type { NamedLink } from "@tapthru/proto/rules/display-name";
import { useDisplayName } from "../../../lib/use-host.ts";
import { CopyForEmail, QrButton } from "./qr-button.tsx";
import { ShareButton } from "./share-button.tsx";
import type { ToolLook } from "./tool-button.tsx";
import type { SharedLink } from "./use-untag.ts";

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
