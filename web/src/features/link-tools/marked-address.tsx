import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { markTag } from "./mark-tag.ts";

/** An unshortened address in which the page's tag is marked. */
export function MarkedAddress({ address, page }: { address: string; page: StorePage }) {
  let start = 0;
  const pieces = markTag(address, page).map((piece) => {
    const placed = { ...piece, start };
    start += piece.text.length;
    return placed;
  });
  return (
    <code className="block rounded-xl bg-sunken p-3 font-mono text-code leading-5 break-all">
      {pieces.map(({ start, text, isTag }) =>
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
