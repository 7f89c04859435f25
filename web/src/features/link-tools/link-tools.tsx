import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import type { NamedLink } from "@tapthru/proto/rules/display-name";
import { useDisplayName } from "../../lib/use-host.ts";
import { QrButton } from "./qr-button.tsx";
import { ShareButton } from "./share-button.tsx";
import type { ToolLook } from "./tool-button.tsx";

interface LinkToolsProps {
  link: NamedLink & { shortUrl: string; shortCode: string };
  look?: ToolLook;
}

/** Buttons that share a short link and show its QR code. */
export function LinkTools({ link, look = "icon" }: LinkToolsProps) {
  const name = useDisplayName(link);
  const page = parseStorePage(link.originalUrl);
  return (
    <>
      <ShareButton shortUrl={link.shortUrl} title={name} look={look} />
      <QrButton link={link} hasTag={page !== null && tagHealth(page).kind !== "none"} look={look} />
    </>
  );
}
