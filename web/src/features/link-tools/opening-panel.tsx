import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { AppOpeningTable } from "@tapthru/proto/rules/app-opening/app-opening";
import { messages } from "@tapthru/proto/rules/messages";
import { useState } from "react";
import { DeviceChoice } from "./device-choice.tsx";
import { MarkedAddress } from "./marked-address.tsx";
import { openingPlaces, type System } from "./openings.ts";
import { PlaceChoice } from "./place-choice.tsx";
import { placeName } from "./place-name.ts";
import { PlaceOpening } from "./place-opening.tsx";

interface OpeningPanelProps {
  page: StorePage;
  shortUrl: string;
  table: AppOpeningTable;
}

/** Shows what a short link does on each device and in each app, according to the rules of the redirect service. */
export function OpeningPanel({ page, shortUrl, table }: OpeningPanelProps) {
  const [device, setDevice] = useState<System | "desktop">("ios");
  const [chosen, setChosen] = useState("");
  return (
    <div className="flex flex-col gap-5">
      <DeviceChoice value={device} onChange={setDevice} />
      {device === "desktop" ? (
        <div>
          <p className="mb-2 text-md">{messages.opensOriginalPage}</p>
          <MarkedAddress address={page.webUrl} page={page} />
        </div>
      ) : (
        <PhoneOpening
          system={device}
          chosen={chosen}
          onChoose={setChosen}
          page={page}
          shortUrl={shortUrl}
          table={table}
        />
      )}
      {page.tag !== null && <p className="text-sm text-muted">{messages.tagIsHighlighted}</p>}
    </div>
  );
}

interface PhoneOpeningProps extends OpeningPanelProps {
  system: System;
  /** The name of the chosen app. It stays chosen when the device changes. */
  chosen: string;
  onChoose: (name: string) => void;
}

function PhoneOpening({ system, chosen, onChoose, table, ...opening }: PhoneOpeningProps) {
  const places = openingPlaces(system, table);
  const place = places.find((each) => placeName(each) === chosen) ?? places[0];
  if (!place) return null;
  return (
    <>
      <PlaceChoice names={places.map(placeName)} value={placeName(place)} onChange={onChoose} />
      <PlaceOpening place={place} {...opening} />
    </>
  );
}
