import { useQuery } from "@tanstack/react-query";
import { OTHER_PROGRAM, PRETENDER, type ProgramClass } from "@tapthru/proto/clicks/keys";
import { Card } from "../../components/ui/card.tsx";
import { CLICK_CLASS_NAMES } from "../../lib/names.ts";
import { type ClickScope, clicksOptions } from "./api.ts";
import { BreakdownTable } from "./breakdown.tsx";
import { ClicksLoaded } from "./clicks-loaded.tsx";

const PROGRAM_NAMES: Record<string, string | undefined> = {
  [OTHER_PROGRAM]: "Other programs",
  [PRETENDER]: "Programs with the name of a browser",
  "facebookexternalhit-1.1-Facebot-Twitterbot": "iMessage",
  User: "Others that end in -User",
};

/** The names of what is counted apart from taps. */
export function Programs({ scope, programClass }: { scope: ClickScope; programClass: ProgramClass }) {
  const caption = `${CLICK_CLASS_NAMES[programClass]} by program`;
  return (
    <Card title={caption}>
      <ClicksLoaded query={useQuery(clicksOptions(scope, programClass))}>
        {({ breakdown }) => (
          <BreakdownTable
            caption={caption}
            nameHeading="Program"
            parts={breakdown}
            nameOf={({ key }) => PROGRAM_NAMES[key] ?? key}
            clickClass={programClass}
            fewRows={10}
          />
        )}
      </ClicksLoaded>
    </Card>
  );
}
