import { messages } from "@tapthru/proto/rules/messages";
import { lazy, Suspense } from "react";

/** All flags, in a script of their own. A country is named without its flag if that fails to load. */
const Flag = lazy(() =>
  import("./country-flag.tsx").then(
    ({ CountryFlag }) => ({ default: CountryFlag }),
    () => ({ default: NoFlag }),
  ),
);

function NoFlag(_: { code: string }) {
  return <span className="w-5 shrink-0" />;
}

/** In English, like the rest of the page. */
const NAMES = new Intl.DisplayNames("en", { type: "region" });
const COUNTRY = /^[A-Z]{2}$/;

/** @param code of ISO 3166-1, or anything else for an unknown country */
export function CountryName({ code }: { code: string }) {
  const isCountry = COUNTRY.test(code);
  return (
    <span className="flex items-center gap-2.5">
      <Suspense fallback={<NoFlag code={code} />}>
        <Flag code={code} />
      </Suspense>
      {isCountry ? NAMES.of(code) : messages.unknownCountry}
    </span>
  );
}
