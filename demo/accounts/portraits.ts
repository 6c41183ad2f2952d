import type { Random } from "../random.ts";
import { type Color, develop, drawn, hex, hsl, mix, rgb } from "../photos/raster.ts";

export type Look = "woman" | "man";

const skins = [
  "#f6d7c0",
  "#eec3a2",
  "#e0ac83",
  "#c98f66",
  "#b0764d",
  "#8f5a3a",
  "#6e432c",
  "#523221",
];
const hairs = [
  "#1d1714",
  "#2b1f1a",
  "#3d2a1f",
  "#5a3b26",
  "#7a4c2c",
  "#a8743c",
  "#cfa765",
  "#8a3b22",
  "#8d8f94",
  "#d9d9d6",
];
const sideLength = 480;

/** What a face is drawn from; lengths in pixels. */
type Person = ReturnType<typeof personOf>;

function personOf(look: Look, random: Random) {
  const tone = random.integer(0, skins.length - 1);
  const skin = rgb(skins[tone] as string);
  const old = random.chance(0.22);
  // Dark skin rarely comes with fair hair; grey comes to everybody.
  const hair = rgb(
    old ? random.pick(hairs.slice(8)) : (hairs[random.integer(0, tone > 3 ? 3 : 7)] as string),
  );
  const hue = random.between(0, 360);
  const back = hsl(hue, random.between(0.25, 0.6), random.between(0.6, 0.82));
  const cloth = hsl(
    hue + random.pick([150, 180, 210, 40]),
    random.between(0.25, 0.6),
    random.between(0.3, 0.62),
  );
  const scarf = look === "woman" && random.chance(0.13);
  const hat = !scarf && random.chance(0.13);
  const wide = random.between(74, 86);
  const tall = random.between(98, 108);
  return { look, random, tone, skin, hair, hue, back, cloth, scarf, hat, wide, tall };
}

/** A drawn face: it is nobody's, so nobody has to be asked. The bytes of a square JPEG. */
export async function portrait(look: Look, random: Random): Promise<Buffer> {
  const person = personOf(look, random);
  const { skin, scarf, hat, wide, tall } = person;
  const parts = [
    background(person),
    scarf ? "" : hairBehind(person),
    shoulders(person),
    `<path d="M205 300V372Q240 402 275 372V300Z" fill="${hex(mix(skin, [70, 24, 20], 0.24))}"/>`,
    `<ellipse cx="${240 - wide}" cy="236" rx="14" ry="22" fill="${hex(mix(skin, [90, 30, 20], 0.16))}"/><ellipse cx="${240 + wide}" cy="236" rx="14" ry="22" fill="${hex(mix(skin, [90, 30, 20], 0.22))}"/>`,
    `<path d="M${240 - wide} 210Q${240 - wide} ${226 - tall} 240 ${226 - tall}Q${240 + wide} ${226 - tall} ${240 + wide} 210Q${240 + wide} ${230 + tall * 0.62} 240 ${230 + tall}Q${240 - wide} ${230 + tall * 0.62} ${240 - wide} 210Z" fill="url(#skin)"/>`,
    face(person),
    look === "man" && random.chance(0.45) ? beard(person) : "",
    scarf ? headscarf(person) : hat ? cap(person) : hairFront(person),
    random.chance(0.27) ? glasses(person) : "",
  ];
  const image = await drawn(sideLength, sideLength, parts.join(""));
  return develop(image, {
    width: sideLength,
    height: sideLength,
    random,
    grain: 3,
    vignette: 0.14,
    bloom: 0.1,
    warmth: 0.2,
  });
}

function background({ random, skin, hair, back, cloth }: Person): string {
  const light = hex(mix(back, [255, 255, 255], 0.35));
  const shapes = random.pick([
    `<circle cx="${random.between(60, 420)}" cy="${random.between(40, 240)}" r="${random.between(90, 190)}" fill="${light}" opacity=".5"/>`,
    `<path d="M0 ${random.between(180, 300)}Q160 ${random.between(120, 260)} 480 ${random.between(160, 320)}V480H0Z" fill="${light}" opacity=".45"/>`,
    "",
  ]);
  return (
    `<linearGradient id="back" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${light}"/><stop offset="1" stop-color="${hex(back)}"/></linearGradient>` +
    `<linearGradient id="skin" x1="0" y1="0" x2="1" y2=".5"><stop stop-color="${hex(mix(skin, [255, 246, 232], 0.22))}"/><stop offset=".55" stop-color="${hex(skin)}"/><stop offset="1" stop-color="${hex(mix(skin, [96, 30, 24], 0.22))}"/></linearGradient>` +
    `<linearGradient id="cloth" x1="0" y1="0" x2="1" y2=".4"><stop stop-color="${hex(mix(cloth, [255, 255, 255], 0.16))}"/><stop offset="1" stop-color="${hex(mix(cloth, [16, 10, 30], 0.3))}"/></linearGradient>` +
    `<linearGradient id="hair" x1="0" y1="0" x2="1" y2=".6"><stop stop-color="${hex(mix(hair, [255, 236, 210], 0.2))}"/><stop offset="1" stop-color="${hex(mix(hair, [8, 4, 10], 0.3))}"/></linearGradient>` +
    `<rect width="480" height="480" fill="url(#back)"/>${shapes}`
  );
}

function shoulders({ random, skin, cloth }: Person): string {
  const body = `<path d="M60 480Q66 392 170 366Q240 400 310 366Q414 392 420 480Z" fill="url(#cloth)"/>`;
  const pale = hex(mix(cloth, [255, 255, 255], 0.7));
  const collar = random.pick([
    `<path d="M178 364L240 440L302 364L288 352L240 404L192 352Z" fill="${pale}"/>`,
    `<path d="M166 368Q240 428 314 368L304 352Q240 398 176 352Z" fill="${hex(mix(cloth, [10, 6, 20], 0.25))}"/>`,
    `<path d="M192 350L240 470L288 350Q240 392 192 350Z" fill="${hex(mix(skin, [90, 30, 20], 0.12))}"/>`,
  ]);
  const stripes = random.chance(0.3)
    ? [404, 430, 456]
        .map(
          (y) =>
            `<path d="M${70 + (456 - y) * 0.7} ${y}Q240 ${y + 22} ${410 - (456 - y) * 0.7} ${y}" stroke="${pale}" stroke-opacity=".6" stroke-width="7" fill="none"/>`,
        )
        .join("")
    : "";
  return body + stripes + collar;
}

function hairBehind({ look, random }: Person): string {
  if (look === "man") return "";
  const long = random.pick([300, 350, 400, 260]);
  const out = random.between(14, 46);
  const curly = random.chance(0.35);
  if (curly) {
    return Array.from({ length: 26 }, (_, i) => {
      const angle = Math.PI * (0.86 + (i / 25) * 1.28);
      const reach = 1 + random.between(-0.06, 0.1);
      return `<circle cx="${240 + Math.cos(angle) * 104 * reach}" cy="${226 + Math.sin(angle) * 118 * reach + (i < 3 || i > 22 ? 30 : 0)}" r="${random.between(34, 46)}" fill="url(#hair)"/>`;
    }).join("");
  }
  return `<path d="M240 98Q${130 - out} 100 ${140 - out * 0.6} 230L${132 - out * 0.4} ${long}Q240 ${long + 24} ${348 + out * 0.4} ${long}L${340 + out * 0.6} 230Q${350 + out} 100 240 98Z" fill="url(#hair)"/>`;
}

function hairFront({ look, random, wide, tall }: Person): string {
  if (look === "man" && random.chance(0.12)) return "";
  const top = 226 - tall;
  const styles =
    look === "woman"
      ? [
          `<path d="M${236 - wide} 214Q${226 - wide} ${top - 24} 240 ${top - 26}Q${254 + wide} ${top - 24} ${244 + wide} 214Q${232 + wide} ${top + 54} ${random.between(200, 280)} ${top + 30}Q${250 - wide} ${top + 60} ${236 - wide} 214Z" fill="url(#hair)"/>`,
          `<path d="M${236 - wide} 222Q${222 - wide} ${top - 22} 240 ${top - 24}Q${258 + wide} ${top - 22} ${244 + wide} 222L${232 + wide} ${top + 72}Q240 ${top + 46} ${248 - wide} ${top + 72}Z" fill="url(#hair)"/>`,
          `<circle cx="240" cy="${top - 34}" r="38" fill="url(#hair)"/><path d="M${236 - wide} 214Q${228 - wide} ${top - 16} 240 ${top - 18}Q${252 + wide} ${top - 16} ${244 + wide} 214Q${226 + wide} ${top + 30} 240 ${top + 28}Q${254 - wide} ${top + 30} ${236 - wide} 214Z" fill="url(#hair)"/>`,
        ]
      : [
          `<path d="M${236 - wide} 216Q${224 - wide} ${top - 18} 240 ${top - 20}Q${256 + wide} ${top - 18} ${244 + wide} 216L${236 + wide} ${top + 64}Q${random.between(210, 300)} ${top + 22} ${246 - wide} ${top + 62}Z" fill="url(#hair)"/>`,
          `<path d="M${238 - wide} 200Q${226 - wide} ${top - 34} 250 ${top - 36}Q${262 + wide} ${top - 20} ${242 + wide} 200L${234 + wide} ${top + 50}Q240 ${top + 20} ${200 - wide * 0.4} ${top + 44}Z" fill="url(#hair)"/>`,
          `<path d="M${237 - wide} 206Q${232 - wide} ${top - 8} 240 ${top - 10}Q${248 + wide} ${top - 8} ${243 + wide} 206L${232 + wide} ${top + 56}Q240 ${top + 24} ${248 - wide} ${top + 56}Z" fill="url(#hair)"/>`,
          Array.from(
            { length: 13 },
            (_, i) =>
              `<circle cx="${240 + (i - 6) * wide * 0.155}" cy="${top + 20 + Math.abs(i - 6) ** 1.9 * 1.5 + random.between(-6, 6)}" r="${random.between(22, 29)}" fill="url(#hair)"/>`,
          ).join(""),
        ];
  return random.pick(styles);
}

function face({ look, random, tone, skin, hair }: Person): string {
  const line = hex(mix(hair, [30, 18, 14], 0.6));
  const iris = random.pick(
    tone > 3 ? ["#3a2417", "#2a1a12"] : ["#3a2417", "#5a7a8a", "#5d7048", "#4a3020", "#6a4a2a"],
  );
  const lip = hex(mix(skin, look === "woman" ? [190, 50, 60] : [150, 60, 56], 0.42));
  const gap = random.between(34, 40);
  const brow = random.between(-4, 5);
  const smile = random.between(8, 24);
  const eye = (x: number) =>
    `<ellipse cx="${x}" cy="234" rx="13" ry="9.5" fill="#fdfaf5"/><circle cx="${x}" cy="234.5" r="8" fill="${iris}"/><circle cx="${x}" cy="234.5" r="4" fill="#120c0a"/><circle cx="${x + 2.6}" cy="231" r="2" fill="#fff"/><path d="M${x - 14} 231Q${x} ${look === "woman" ? 218 : 221} ${x + 14} 231" stroke="${line}" stroke-width="${look === "woman" ? 4.4 : 3}" fill="none" stroke-linecap="round"/>`;
  const closed = (x: number) =>
    `<path d="M${x - 13} 234Q${x} 222 ${x + 13} 234" stroke="${line}" stroke-width="4.5" fill="none" stroke-linecap="round"/>`;
  const eyes = random.chance(0.14) ? closed : eye;
  const mouth = random.chance(0.4)
    ? `<path d="M208 ${284 - smile * 0.2}Q240 ${290 + smile * 1.5} 272 ${284 - smile * 0.2}Q240 ${290 - smile * 0.1} 208 ${284 - smile * 0.2}Z" fill="#fffaf4" stroke="${lip}" stroke-width="4" stroke-linejoin="round"/>`
    : `<path d="M210 ${286 - smile * 0.25}Q240 ${284 + smile} 270 ${286 - smile * 0.25}" stroke="${lip}" stroke-width="6" fill="none" stroke-linecap="round"/>`;
  const cheek = hex(mix(skin, [214, 70, 60], 0.5));
  const freckles =
    tone < 3 && random.chance(0.2)
      ? Array.from(
          { length: 14 },
          () =>
            `<circle cx="${240 + random.pick([-1, 1]) * random.between(14, 56)}" cy="${random.between(248, 270)}" r="1.6" fill="#9c5a38" opacity=".6"/>`,
        ).join("")
      : "";
  return (
    [-1, 1]
      .map(
        (side) =>
          `<ellipse cx="${240 + side * 52}" cy="266" rx="19" ry="12" fill="${cheek}" opacity=".28"/>${eyes(240 + side * gap)}<path d="M${240 + side * (gap - 15)} ${212 + brow}Q${240 + side * gap} ${202 - brow * 0.4} ${240 + side * (gap + 18)} ${212 - brow * 0.2}" stroke="${line}" stroke-width="${look === "woman" ? 4.5 : 7}" fill="none" stroke-linecap="round"/>`,
      )
      .join("") +
    `<path d="M240 240Q${random.between(248, 256)} 262 ${random.between(244, 250)} 266Q240 270 232 266" stroke="${hex(mix(skin, [90, 30, 20], 0.4))}" stroke-width="4" fill="none" stroke-linecap="round"/>${mouth}${freckles}`
  );
}

function beard({ random, skin, wide, tall }: Person): string {
  const chin = 230 + tall;
  const full = random.chance(0.6);
  const cut = full
    ? `M${240 - wide} 236Q${244 - wide} ${chin - 10} 240 ${chin + random.between(6, 30)}Q${236 + wide} ${chin - 10} ${240 + wide} 236Q${226 + wide} 268 286 270Q240 256 194 270Q${254 - wide} 268 ${240 - wide} 236Z`
    : "M196 276Q240 254 284 276Q264 270 240 272Q216 270 196 276Z";
  const mouth = full
    ? `<path d="M216 292Q240 ${random.between(300, 310)} 264 292" stroke="${hex(mix(skin, [170, 60, 56], 0.5))}" stroke-width="6" fill="none" stroke-linecap="round"/>`
    : "";
  return `<path d="${cut}" fill="url(#hair)" opacity=".94"/>${mouth}`;
}

function headscarf({ random, hue, wide, tall }: Person): string {
  const color: Color = hsl(
    hue + random.pick([120, 200, 320]),
    random.between(0.25, 0.55),
    random.between(0.4, 0.72),
  );
  const top = 226 - tall;
  const ring = `M240 ${top - 26}Q${118 - (wide - 80)} ${top - 20} ${132 - (wide - 80)} 240Q140 350 120 400Q240 452 360 400Q340 350 ${348 + (wide - 80)} 240Q${362 + (wide - 80)} ${top - 20} 240 ${top - 26}ZM240 ${top + 24}Q${262 + wide * 0.7} ${top + 28} ${232 + wide} 226Q${226 + wide} 312 240 ${228 + tall}Q${254 - wide} 312 ${248 - wide} 226Q${218 - wide * 0.7} ${top + 28} 240 ${top + 24}Z`;
  return `<linearGradient id="scarf" x1="0" y1="0" x2="1" y2=".7"><stop stop-color="${hex(mix(color, [255, 255, 255], 0.22))}"/><stop offset="1" stop-color="${hex(mix(color, [20, 10, 30], 0.32))}"/></linearGradient><path fill-rule="evenodd" d="${ring}" fill="url(#scarf)"/><path d="M150 360Q240 420 338 352M160 388Q250 432 346 378" stroke="#140a1e" stroke-opacity=".16" stroke-width="5" fill="none"/>`;
}

function cap({ random, hue, wide, tall }: Person): string {
  const color = hsl(hue + 180, random.between(0.2, 0.6), random.between(0.25, 0.5));
  const top = 226 - tall;
  const side = hex(color);
  const brim = hex(mix(color, [10, 6, 14], 0.3));
  return random.pick([
    `<path d="M${232 - wide} ${top + 62}Q${226 - wide} ${top - 36} 240 ${top - 38}Q${254 + wide} ${top - 36} ${248 + wide} ${top + 62}Q240 ${top + 34} ${232 - wide} ${top + 62}Z" fill="${side}"/><path d="M${228 - wide} ${top + 66}Q240 ${top + 32} ${252 + wide} ${top + 66}L${250 + wide} ${top + 44}Q240 ${top + 12} ${230 - wide} ${top + 44}Z" fill="${brim}"/>`,
    `<ellipse cx="240" cy="${top + 50}" rx="${wide + 62}" ry="21" fill="${brim}"/><path d="M${242 - wide} ${top + 48}Q${244 - wide} ${top - 44} 240 ${top - 40}Q${236 + wide} ${top - 44} ${238 + wide} ${top + 48}Q240 ${top + 66} ${242 - wide} ${top + 48}Z" fill="${hex(mix(color, [255, 240, 210], 0.4))}"/><path d="M${242 - wide} ${top + 26}Q240 ${top + 46} ${238 + wide} ${top + 26}V${top + 48}Q240 ${top + 66} ${242 - wide} ${top + 48}Z" fill="${side}"/>`,
  ]);
}

function glasses({ random, wide }: Person): string {
  const round = random.chance(0.5);
  const color = random.pick(["#1e1a1c", "#6a4426", "#8a2f2a", "#3a4a5c", "#b08a3c"]);
  const lens = (x: number) =>
    round
      ? `<circle cx="${x}" cy="236" r="25"/>`
      : `<rect x="${x - 27}" y="216" width="54" height="40" rx="11"/>`;
  return `<g fill="#fff" fill-opacity=".13" stroke="${color}" stroke-width="5">${lens(203)}${lens(277)}</g><path d="M228 232Q240 224 252 232M178 230L${242 - wide} 224M302 230L${238 + wide} 224" stroke="${color}" stroke-width="5" fill="none"/>`;
}
