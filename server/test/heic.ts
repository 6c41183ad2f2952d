// Files as a phone writes them, around one image that was encoded once: nothing here encodes HEVC.

/** 128 × 96 pixels, the quarters in `cornerColours`; its second image is its alpha channel, at one half. */
export const coded = {
  picture:
    "AAAAhSgBrxOAeNWFyL//9iVH/7c+eH3dg0E6fNk//HBiPykJf/GgTJVRkxo7rMfeImahkiOCyW/luZeev59jl/6bLqHI" +
    "5eLec/51IM4T4SmX+GCU+oZu57UdBtrOfhc8z9ZwVW0kCqJy+TAABZ9OiDMk4QAGgAPSCqRmDWolmvLVbgppttM5RYA=",
  pictureConfig:
    "AQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAA" +
    "AwAAAwAeoBAgYWW6kkprm4EBAwIAAAMAAgAAAwACECIAAQAHRAHBcrAiQA==",
  alpha: "AAAAESgBrifD9Cn/7BBf2iMjB2QV",
  alphaConfig:
    "AQQIAAAAAAAAAAAAHvAA/Pz4+AAADwMgAAEAF0ABDAH//wQIAAADAJ/4AAADAAAeugJAIQABACdCAQEECAAAAwCf+AAA" +
    "AwAAHsBAgYWW6kkprmwIAAADAAgAAAMACEAiAAEAB0QBwXKwIkA=",
};

type Choices = {
  /** quarter turns anticlockwise for a reader to make */
  turns?: 0 | 1 | 2 | 3;
  /** the contents of a `colr` box */
  colours?: Buffer;
  alpha?: boolean;
  /** the size in the header, whatever the image's is */
  claims?: { width: number; height: number };
  /** stored where a camera writes EXIF, as an item of its own */
  exif?: Buffer;
};

export const heicSize = { width: 128, height: 96 };

/** A HEIC of the four coloured quarters (ISO/IEC 23008-12). */
export function heicOf({ turns = 0, colours, alpha, claims = heicSize, exif }: Choices = {}) {
  const pictures = [coded.picture, ...(alpha ? [coded.alpha] : [])];
  const items = [
    ...pictures.map((text) => ({ type: "hvc1", data: Buffer.from(text, "base64") })),
    ...(exif ? [{ type: "Exif", data: exif }] : []),
  ];
  const size = box("ispe", u32(0), u32(claims.width), u32(claims.height));
  const properties = [
    size,
    box("hvcC", Buffer.from(coded.pictureConfig, "base64")),
    box("irot", Buffer.from([turns])),
    box("colr", colours ?? Buffer.from("nclx\0\x01\0\x0d\0\x06\x80", "latin1")),
    box("hvcC", Buffer.from(coded.alphaConfig, "base64")),
    box("auxC", u32(0), latin1("urn:mpeg:hevc:2015:auxid:1\0")),
  ];
  // 0x80 marks what a reader must understand
  const uses = [[1, 0x82, 0x83, 4], ...(alpha ? [[1, 0x85, 6, 0x83]] : [])];
  const numbered = uses.flatMap((list, at) => [u16(at + 1), Buffer.from([list.length, ...list])]);
  const references = [
    ...(alpha ? [box("auxl", u16(2), u16(1), u16(1))] : []),
    ...(exif ? [box("cdsc", u16(items.length), u16(1), u16(1))] : []),
  ];
  const entries = items.map(({ type }, at) =>
    box("infe", u32(0x02_00_00_00), u16(at + 1), u16(0), latin1(`${type}\0`)),
  );

  const meta = (from: number) => {
    let at = from;
    const places = items.map(({ data }, index) => {
      const place = Buffer.concat([u16(index + 1), u16(0), u16(1), u32(at), u32(data.length)]);
      at += data.length;
      return place;
    });
    return box(
      "meta",
      u32(0),
      box("hdlr", u32(0), u32(0), latin1("pict"), Buffer.alloc(13)),
      box("pitm", u32(0), u16(1)),
      box("iinf", u32(0), u16(entries.length), ...entries),
      box("iloc", u32(0), Buffer.from([0x44, 0]), u16(items.length), ...places),
      box("iref", u32(0), ...references),
      box("iprp", box("ipco", ...properties), box("ipma", u32(0), u32(uses.length), ...numbered)),
    );
  };
  const type = box("ftyp", latin1("heic"), u32(0), latin1("mif1heic"));
  const start = type.length + meta(0).length + 8;
  return Buffer.concat([type, meta(start), box("mdat", ...items.map(({ data }) => data))]);
}

export function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), latin1(type), body]);
}

export const latin1 = (text: string) => Buffer.from(text, "latin1");

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
