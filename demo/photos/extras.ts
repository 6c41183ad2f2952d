import type { Random } from "../random.ts";
import { type Color, hex, mix } from "./raster.ts";
import type { Light } from "./daylight.ts";

export type Extra =
  "none" | "birds" | "sailboats" | "balloons" | "pines" | "lighthouse" | "grasses";

type Stage = { width: number; height: number; horizon: number; light: Light; random: Random };

const none: string[] = [];

/** Objects in front of a landscape, as SVG fragments in its own pixels. */
export function extrasOver(extra: Extra, stage: Stage): string[] {
  if (extra === "birds") return [birds(stage)];
  if (extra === "sailboats") return [sailboats(stage)];
  if (extra === "balloons") return [balloons(stage)];
  if (extra === "pines") return [pines(stage)];
  if (extra === "lighthouse") return [lighthouse(stage)];
  if (extra === "grasses") return [grasses(stage)];
  return none;
}

function shaded(color: Color, light: Light, share: number): string {
  return hex(
    mix(
      [color[0] * light.ambient[0], color[1] * light.ambient[1], color[2] * light.ambient[2]],
      light.horizon,
      share,
    ),
  );
}

function birds({ width, horizon, random }: Stage): string {
  const x = width * random.between(0.2, 0.7);
  const y = horizon * random.between(0.2, 0.6);
  const one = () => {
    const size = width * random.between(0.006, 0.014);
    const at = [x + random.normal() * width * 0.08, y + random.normal() * width * 0.035];
    const lift = size * random.between(0.15, 0.6);
    return `<path d="M${at[0]} ${at[1]}q${size * 0.5} ${-lift} ${size} 0q${size * 0.5} ${-lift} ${size} 0" fill="none" stroke="#22252c" stroke-width="${size * 0.17}" stroke-linecap="round" opacity=".75"/>`;
  };
  return Array.from({ length: random.integer(4, 13) }, one).join("");
}

function sailboats({ width, height, horizon, light, random }: Stage): string {
  const one = (index: number) => {
    const near = index === 0 ? random.between(0.3, 0.8) : random.between(0.02, 0.2);
    const size = width * (0.025 + near * 0.11);
    const x = width * random.between(0.12, 0.88);
    const y = horizon + (height - horizon) * near * 0.42 + height * 0.008;
    const sail = hex(
      mix(
        random.pick([
          [250, 246, 236],
          [236, 214, 190],
          [200, 84, 66],
        ] as Color[]),
        light.horizon,
        0.25,
      ),
    );
    const shade = hex(mix([150, 150, 160], light.horizon, 0.3));
    const hull = shaded([60, 52, 60], light, 0.12);
    const lean = random.between(-5, 5);
    const boat =
      `<path d="M0 0V${-size}Q${size * 0.42} ${-size * 0.35} ${size * 0.44} ${-size * 0.08}H0Z" fill="${sail}"/>` +
      `<path d="M${-size * 0.03} ${-size * 0.06}V${-size * 0.84}Q${-size * 0.25} ${-size * 0.3} ${-size * 0.3} ${-size * 0.06}Z" fill="${shade}"/>` +
      `<path d="M${-size * 0.36} ${-size * 0.03}H${size * 0.48}Q${size * 0.38} ${size * 0.1} ${size * 0.26} ${size * 0.11}H${-size * 0.2}Q${-size * 0.32} ${size * 0.08} ${-size * 0.36} ${-size * 0.03}Z" fill="${hull}"/>`;
    return `<g transform="translate(${x} ${y})"><g transform="translate(0 ${size * 0.2}) scale(1 -.8) rotate(${lean})" opacity=".28">${boat}</g><g transform="rotate(${lean})">${boat}</g></g>`;
  };
  return Array.from({ length: random.integer(1, 4) }, (_, index) => one(index)).join("");
}

function balloons({ width, horizon, light, random }: Stage): string {
  const one = (index: number) => {
    const size = width * (index === 0 ? random.between(0.08, 0.13) : random.between(0.012, 0.05));
    const x = width * random.between(0.1, 0.9);
    const y = horizon * (index === 0 ? random.between(0.25, 0.5) : random.between(0.15, 0.85));
    const hue = random.integer(0, 359);
    const id = `b${index}`;
    const away = index === 0 ? 0.05 : 0.3;
    const gores = Array.from({ length: 7 }, (_, gore) => {
      const at = -1 + (gore * 2) / 7;
      const to = at + 2 / 7;
      const color = gore % 2 === 0 ? `hsl(${hue},62%,52%)` : `hsl(${(hue + 40) % 360},70%,80%)`;
      return `<path d="M0 -1Q${at * 1.25} ${-0.95} ${at} 0Q${at * 0.8} .7 ${at * 0.18} 1.12H${to * 0.18}Q${to * 0.8} .7 ${to} 0Q${to * 1.25} -.95 0 -1Z" fill="${color}"/>`;
    }).join("");
    return (
      `<radialGradient id="${id}" cx=".35" cy=".3" r=".85"><stop stop-color="#fff" stop-opacity=".45"/><stop offset=".5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#1a1030" stop-opacity=".5"/></radialGradient>` +
      `<g transform="translate(${x} ${y}) scale(${size / 2})">${gores}` +
      `<path d="M0 -1Q1.25 -.95 1 0Q.8 .7 .18 1.12H-.18Q-.8 .7 -1 0Q-1.25 -.95 0 -1Z" fill="url(#${id})"/>` +
      `<path d="M0 -1Q1.25 -.95 1 0Q.8 .7 .18 1.12H-.18Q-.8 .7 -1 0Q-1.25 -.95 0 -1Z" fill="${hex(light.horizon)}" opacity="${away}"/>` +
      `<path d="M-.16 1.14L-.12 1.42M.16 1.14L.12 1.42" stroke="#3a2c25" stroke-width=".02"/><rect x="-.13" y="1.4" width=".26" height=".2" rx=".04" fill="#5a3d28"/></g>`
    );
  };
  return Array.from({ length: random.integer(2, 9) }, (_, index) => one(index))
    .reverse()
    .join("");
}

/** Conifers at the edges of the photo, near and dark. */
function pines({ width, height, light, random }: Stage): string {
  const left = random.chance(0.5);
  const one = (index: number) => {
    const tall = height * random.between(0.42, 0.8) * (1 - index * 0.06);
    const x = left
      ? width * (index * 0.055 - 0.02 + random.between(-0.02, 0.02))
      : width * (1.02 - index * 0.055 + random.between(-0.02, 0.02));
    const foot = height * 1.03;
    const tiers = 16;
    let d = `M${x} ${foot - tall}`;
    const halves: string[] = [];
    for (const side of [1, -1]) {
      const points: string[] = [];
      for (let tier = 1; tier <= tiers; tier += 1) {
        const y = foot - tall + (tall * tier) / tiers;
        const reach = tall * 0.19 * (tier / tiers) ** 0.85 * random.between(0.75, 1.15) * side;
        points.push(`L${x + reach} ${y}`, `L${x + reach * 0.42} ${y - tall * 0.012}`);
      }
      halves.push(side === 1 ? points.join("") : points.reverse().join(""));
    }
    d += `${halves[0]}${halves[1]}Z`;
    return `<path d="${d}" fill="${shaded([58, 78, 60], light, 0.03 + index * 0.045)}"/>`;
  };
  const trees = Array.from({ length: random.integer(4, 8) }, (_, index) => one(index));
  return `<filter id="soft"><feGaussianBlur stdDeviation="${width * 0.0012}"/></filter><g filter="url(#soft)">${trees.reverse().join("")}</g>`;
}

function lighthouse({ width, height, horizon, light, random }: Stage): string {
  const left = random.chance(0.5);
  const tall = height * random.between(0.24, 0.36);
  const wide = tall * 0.17;
  const x = width * (left ? random.between(0.16, 0.26) : random.between(0.74, 0.84));
  const y = horizon + height * 0.015;
  const stone = shaded([70, 66, 66], light, 0.12);
  const edge = left ? -0.05 * width : width * 1.05;
  const toward = left ? 1 : -1;
  const cliff = [`M${edge} ${y + height * 0.13}`, `L${edge} ${y - height * 0.03}`];
  for (let step = 0; step <= 8; step += 1) {
    const at = edge + (x + toward * wide * 2.6 - edge) * (step / 8);
    cliff.push(
      `L${at} ${y - height * 0.012 + random.between(-0.006, 0.008) * height + (step === 8 ? height * 0.03 : 0)}`,
    );
  }
  cliff.push(
    `L${x + toward * wide * 4.2} ${y + height * 0.07}`,
    `L${x + toward * wide * 4.8} ${y + height * 0.1}`,
    `L${edge} ${y + height * 0.15}Z`,
  );
  const stripe = random.pick(["#c2433a", "#2b4f7e", "#c2433a", "#30302f"]);
  const stripes = [0.16, 0.48, 0.8]
    .map(
      (at) =>
        `<rect x="${-wide}" y="${-tall * at - tall * 0.14}" width="${wide * 2}" height="${tall * 0.15}" fill="${stripe}"/>`,
    )
    .join("");
  const body = `M${-wide * 0.5} 0L${-wide * 0.33} ${-tall}H${wide * 0.33}L${wide * 0.5} 0Z`;
  return (
    `<linearGradient id="lit" x1="${left ? 1 : 0}" x2="${left ? 0 : 1}" y1="0" y2="0"><stop stop-color="${hex(light.sun)}" stop-opacity=".25"/><stop offset="1" stop-color="#141226" stop-opacity=".62"/></linearGradient>` +
    `<linearGradient id="cliff" x1="0" x2="0" y1="0" y2="1"><stop stop-color="${shaded([112, 118, 80], light, 0.15)}"/><stop offset=".35" stop-color="${stone}"/><stop offset="1" stop-color="${shaded([34, 34, 40], light, 0.05)}"/></linearGradient>` +
    `<path d="${cliff.join("")}" fill="url(#cliff)"/>` +
    `<clipPath id="tower"><path d="${body}"/></clipPath>` +
    `<g transform="translate(${x} ${y - height * 0.008})"><path d="${body}" fill="${hex(mix([246, 242, 234], light.horizon, 0.15))}"/><g clip-path="url(#tower)">${stripes}</g><path d="${body}" fill="url(#lit)"/>` +
    `<rect x="${-wide * 0.48}" y="${-tall * 1.03}" width="${wide * 0.96}" height="${tall * 0.035}" fill="#2c2a30"/><rect x="${-wide * 0.25}" y="${-tall * 1.15}" width="${wide * 0.5}" height="${tall * 0.12}" fill="#ffe9a8"/><path d="M${-wide * 0.34} ${-tall * 1.14}Q0 ${-tall * 1.3} ${wide * 0.34} ${-tall * 1.14}Z" fill="${stripe}"/></g>`
  );
}

/** Blades and ears out of focus along the lower edge. */
function grasses({ width, height, light, random }: Stage): string {
  const blade = () => {
    const x = width * random.between(-0.05, 1.05);
    const tall = height * random.between(0.1, 0.34);
    const bend = random.normal() * width * 0.03;
    const color = shaded(
      random.pick([
        [96, 110, 56],
        [150, 140, 76],
        [60, 76, 44],
        [176, 150, 96],
      ] as Color[]),
      light,
      0.06,
    );
    const ear = random.chance(0.35)
      ? `<ellipse cx="${x + bend}" cy="${height - tall}" rx="${width * 0.005}" ry="${width * 0.016}" fill="${color}"/>`
      : "";
    return `<path d="M${x} ${height * 1.02}Q${x} ${height - tall * 0.5} ${x + bend} ${height - tall}" stroke="${color}" stroke-width="${width * random.between(0.002, 0.005)}" fill="none"/>${ear}`;
  };
  const layer = (count: number, blur: number) =>
    `<filter id="g${blur}"><feGaussianBlur stdDeviation="${(width * blur) / 1000}"/></filter><g filter="url(#g${blur})">${Array.from({ length: count }, blade).join("")}</g>`;
  return layer(70, 2) + layer(40, 6);
}
