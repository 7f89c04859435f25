import type { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { useNavigate } from "react-router-dom";
import { useToast } from "../components/ui/toaster.tsx";
import { useCreateLinkOnce } from "../features/link-generation/use-create-link-once.ts";
import { AddTag } from "../features/link-tools/add-tag.tsx";
import { paths } from "./paths.ts";

/** Creates one of the user's links again, with their tag, and goes to the new link. */
export function AddTagToLink({ link }: { link: Link }) {
  const navigate = useNavigate();
  const toast = useToast();
  const { isPending, create } = useCreateLinkOnce({
    onGenerated: () =>
      toast({ title: messages.linkGenerated, description: messages.redirectingToDetails }),
    onReady: ({ shortCode }) => navigate(paths.link(shortCode)),
  });
  return <AddTag url={link.originalUrl} isMember pending={isPending} onTagged={create} />;
}
