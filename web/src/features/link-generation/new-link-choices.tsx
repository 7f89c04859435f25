import { ChannelOfLinks } from "./channel-of-links.tsx";
import { DomainChoice } from "./domain-choice.tsx";
import type { NewLinks } from "./new-links.ts";

/** What a user chooses for the links that are created on the start page. */
export default function NewLinkChoices({ newLinks }: { newLinks: NewLinks }) {
  return (
    <>
      <DomainChoice newLinks={newLinks} />
      <div className="mt-2">
        <ChannelOfLinks newLinks={newLinks} />
      </div>
    </>
  );
}
