const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;

/** Builds an ICO file from PNGs of up to 256 pixels, a format that all current browsers read. */
export function icoFile(pngs: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pngs.length, 4);

  let offset = HEADER_BYTES + ENTRY_BYTES * pngs.length;
  const entries = pngs.map((png) => {
    const entry = Buffer.alloc(ENTRY_BYTES);
    // Width and height from the PNG header. 256 is encoded as 0.
    entry.writeUInt8(png.readUInt32BE(16) % 256, 0);
    entry.writeUInt8(png.readUInt32BE(20) % 256, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...pngs]);
}
