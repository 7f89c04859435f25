import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { messages } from "@tapthru/proto/rules/messages";
import { CircleAlert } from "lucide-react";
import { Notice } from "../../components/ui/notice.tsx";

/** Warns that a URL has no tag. Renders nothing if it has one. */
export function TagWarning({ url }: { url: string }) {
  const page = parseStorePage(url);
  if (page === null || tagHealth(page).kind !== "none") return null;
  return <Notice icon={CircleAlert}>{messages.tagMissing}</Notice>;
}
