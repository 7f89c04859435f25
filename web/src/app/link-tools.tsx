import type { NamedLink } from "@tapthru/proto/rules/display-name";
import type { ToolLook } from "../components/tool-button.tsx";
import { QrButton } from "../features/qr/qr-button.tsx";
import { ShareButton } from "../features/sharing/share-button.tsx";
import { useDisplayName } from "../lib/use-host.ts";

interface LinkToolsProps {
  link: NamedLink & { shortUrl: string; shortCode: string };
  look?: ToolLook;
}

/** Buttons that share a short link and show its QR code. */
export function LinkTools({ link, look = "icon" }: LinkToolsProps) {
  const name = useDisplayName(link);
  return (
    <>
      <ShareButton shortUrl={link.shortUrl} title={name} look={look} />
      <QrButton link={link} look={look} />
    </>
  );
}
