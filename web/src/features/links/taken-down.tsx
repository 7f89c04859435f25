import { messages } from "@tapthru/proto/rules/messages";
import { Ban } from "lucide-react";
import { Badge } from "../../components/ui/badge.tsx";
import { Notice } from "../../components/ui/notice.tsx";

export function TakenDownBadge() {
  return <Badge>{messages.takenDown}</Badge>;
}

export function TakenDownNotice() {
  return <Notice icon={Ban}>{messages.takenDownNotice}</Notice>;
}
