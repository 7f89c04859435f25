import * as flags from "country-flag-icons/string/3x2";

const FLAGS: Readonly<Record<string, string>> = flags;

/** Decorative, so it needs no name. A picture, because Windows has no flags among its emoji. */
export function CountryFlag({ code }: { code: string }) {
  const svg = FLAGS[code];
  if (svg === undefined) return <span className="w-5 shrink-0" />;
  return (
    <img
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      alt=""
      className="w-5 shrink-0 rounded-xs outline outline-line"
    />
  );
}
