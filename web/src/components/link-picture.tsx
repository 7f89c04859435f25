import { type ComponentProps, useState } from "react";

const SIZES = {
  card: { box: "size-10 rounded-lg", icon: "size-5", strokeWidth: 1.75 },
  small: { box: "size-14 rounded-xl", icon: "size-6", strokeWidth: 1.75 },
  large: { box: "size-24 rounded-xl", icon: "size-10", strokeWidth: 1.25 },
};

export function LinkPicture({ src, size = "small" }: { src: string | null; size?: keyof typeof SIZES }) {
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

/** The placeholder for an Amazon product without an image. Our own drawing. */
export function ParcelIcon(props: ComponentProps<"svg">) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...props}
    >
      <path d="M3.75 8.25 5.6 4.4a1.5 1.5 0 0 1 1.35-.85h10.1a1.5 1.5 0 0 1 1.35.85l1.85 3.85v10.5a1.75 1.75 0 0 1-1.75 1.75h-13a1.75 1.75 0 0 1-1.75-1.75z" />
      <path d="M3.75 8.25h16.5M12 3.55v4.7" />
      <path d="M7.75 13.5c2.4 2.2 6.1 2.2 8.5 0m0 0-1.9-.35m1.9.35-.4 1.9" />
    </svg>
  );
}
