import { useState } from "react";
import { ParcelIcon } from "./parcel-icon.tsx";

interface LinkPictureProps {
  src: string | null;
  /** `large` fills the available width. */
  size?: "small" | "large";
}

const SIZES = {
  small: { box: "size-14 rounded-xl", icon: "size-6", strokeWidth: 1.75 },
  large: { box: "h-56 w-full rounded-2xl sm:h-64", icon: "size-14", strokeWidth: 1.25 },
};

/** A product image, or a parcel icon if there is none or it does not load. */
export function LinkPicture({ src, size = "small" }: LinkPictureProps) {
  const [failedSrc, setFailedSrc] = useState<string>();
  const { box, icon, strokeWidth } = SIZES[size];
  const picture = src === failedSrc ? null : src;
  return (
    <div
      className={`grid shrink-0 place-items-center overflow-hidden text-muted ${picture ? "border border-line bg-white p-1" : "bg-sunken"} ${box}`}
    >
      {picture ? (
        <img
          src={picture}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailedSrc(picture)}
          className="size-full min-h-0 object-contain"
        />
      ) : (
        <ParcelIcon className={icon} strokeWidth={strokeWidth} />
      )}
    </div>
  );
}
