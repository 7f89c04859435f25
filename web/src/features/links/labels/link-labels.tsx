import type { Link } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { isUsable } from "../link-state.tsx";
import { LabelButton } from "./label-button.tsx";
import { LabelChips } from "./label-chips.tsx";

/** The labels of a link, with the button that changes them if the link can be edited. */
export function LinkLabels({ link }: { link: Link }) {
  if (link.labels.length === 0 && !isUsable(link)) return null;
  return (
    <div className="-mt-2 flex flex-wrap items-center gap-x-2 gap-y-1">
      <LabelChips labels={link.labels} />
      {isUsable(link) && (
        <div className={link.labels.length === 0 ? "flush-text" : ""}>
          <LabelButton links={[link]} text={messages.editLabels} />
        </div>
      )}
    </div>
  );
}
