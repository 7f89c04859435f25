import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { markTag } from "./mark-tag.ts";

/** An unshortened address in which the page's tag is marked. */
export function MarkedAddress({ address, page }: { address: string; page: StorePage }) {
  let start = 0;
  const segments = markTag(address, page).map((segment) => {
    const positioned = { ...segment, start };
    start += segment.text.length;
    return positioned;
  });
  return (
    <code className="block rounded-xl bg-sunken p-3 font-mono text-code leading-5 break-all">
      {segments.map(({ start, text, isTag }) =>
        isTag ? (
          <mark
            key={start}
            className="inline-block max-w-full rounded-sm bg-toast font-semibold text-toast-ink"
          >
            {text}
          </mark>
        ) : (
          <span key={start}>{text}</span>
        ),
      )}
    </code>
  );
}
