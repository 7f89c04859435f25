import { Share2 } from "lucide-react";
import { useErrorToast } from "../../../components/ui/toaster.tsx";
import { ToolButton, type ToolLook } from "./tool-button.tsx";

interface ShareButtonProps {
  shortUrl: string;
  title: string;
  look: ToolLook;
}

/** The user closed the share sheet, or it was already open. */
const IGNORED_ERRORS = new Set(["AbortError", "InvalidStateError"]);

/** Opens the system's share sheet. Renders nothing if the browser has none, as over plain http. */
export function ShareButton({ shortUrl, title, look }: ShareButtonProps) {
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
