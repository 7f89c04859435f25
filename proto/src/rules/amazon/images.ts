export const IMAGE_HOSTS: readonly string[] = [
  "m.media-amazon.com",
  "images-na.ssl-images-amazon.com",
  "images-eu.ssl-images-amazon.com",
  "images-fe.ssl-images-amazon.com",
];

/** The file name has an id and sizes, as in `71abc+d%2BL._AC_SL1500_.jpg`; no query, no further path. */
const PICTURE = /^https:\/\/([a-z.-]+)\/images\/I\/[\w%+,.-]{1,300}$/;
const PLACEHOLDER = /grey-pixel|transparent-pixel|sprite/i;

export function isProductImage(url: string): boolean {
  const host = PICTURE.exec(url)?.[1];
  return host !== undefined && IMAGE_HOSTS.includes(host) && !PLACEHOLDER.test(url);
}

/** The address if it is a product image, else null: stored addresses are not trusted. */
export function productImage(url: string | null): string | null {
  return url !== null && isProductImage(url) ? url : null;
}

/** The product image with sides of at most 600 pixels: WhatsApp shows no picture of more than about 300 kB. */
export function cardImage(url: string | null): string | null {
  return productImage(url)?.replace(/(\/I\/[^.]+)(?:\..*)?(\.\w+)$/, "$1._SL600_$2") ?? null;
}
