import type { Random } from "../random.ts";
import { blank, develop, drawOver, hex, hsl, mix, type Raster, rgb, type Size } from "./raster.ts";
import sharp from "sharp";
import { blurred, toneOf } from "./shapes.ts";
import { type Hour, type Light, lightOf } from "./daylight.ts";
import { cloudsOf, paintSky } from "./sky.ts";
import { paintLand } from "./terrain.ts";

export type SillSubject = {
  hour: Extract<Hour, "morning" | "golden" | "overcast" | "dusk">;
  guest: "cat" | "plants";
};

type Scene = Size & { light: Light; random: Random };

/** A window from inside, the view beyond it out of focus, and the objects on the sill. */
export async function windowSill(
  { hour, guest }: SillSubject,
  size: Size,
  random: Random,
): Promise<Buffer> {
  const { width, height } = size;
  const unit = Math.min(width, height);
  const light = lightOf(hour, random);
  const scene = { width, height, light, random };
  const view = await viewFrom(scene);
  const sill = height * random.between(0.78, 0.84);
  const wood = rgb(random.pick(["#5a4436", "#e8e2d6", "#3c4a4a", "#6f5a48"]));
  const wall = mix(rgb(random.pick(["#4a4540", "#5a4a44", "#44505a"])), light.horizon, 0.1);
  const dark = hex(mix(wood, [14, 12, 18], 0.62));
  const lit = hex(mix(wood, light.horizon, 0.35));
  const side = width * 0.07;
  const bar = unit * 0.026;
  const mid = width * random.pick([0.5, 0.5, 0.36, 0.64]);
  const frame =
    `<rect width="${side}" height="${height}" fill="${hex(mix(wall, [8, 8, 12], 0.35))}"/><rect x="${width - side}" width="${side}" height="${height}" fill="${hex(mix(wall, [8, 8, 12], 0.45))}"/>` +
    `<path d="M${side} 0V${sill}M${width - side} 0V${sill}M${mid} 0V${sill}M${side} ${sill * 0.36}H${width - side}" stroke="${dark}" stroke-width="${bar}"/><path d="M${side + bar * 0.5} 0V${sill}M${mid + bar * 0.5} 0V${sill}M${side} ${sill * 0.36 + bar * 0.5}H${width - side}" stroke="${lit}" stroke-width="${bar * 0.22}" opacity=".8"/>`;
  const board =
    `<linearGradient id="board" x1="0" x2="0" y1="0" y2="1"><stop stop-color="${hex(mix(wood, light.horizon, 0.55))}"/><stop offset=".5" stop-color="${hex(mix(wood, [30, 24, 24], 0.25))}"/><stop offset="1" stop-color="${hex(mix(wood, [10, 8, 10], 0.72))}"/></linearGradient>` +
    `<rect y="${sill}" width="${width}" height="${height - sill}" fill="url(#board)"/><rect y="${sill + (height - sill) * 0.55}" width="${width}" height="${height * 0.3}" fill="${hex(mix(wall, [10, 8, 12], 0.55))}"/>`;
  const curtain = random.chance(0.6) ? curtains(scene) : "";
  const seat = { x: width * random.between(0.3, 0.7), y: sill + (height - sill) * 0.2 };
  const things =
    guest === "cat"
      ? cat(scene, seat.x, seat.y, unit * random.between(0.34, 0.42)) +
        pot(scene, seat.x + (seat.x > width / 2 ? -1 : 1) * unit * 0.36, seat.y, unit * 0.12)
      : [0.24, 0.5, 0.76]
          .map((at) =>
            pot(
              scene,
              width * (at + random.between(-0.04, 0.04)),
              seat.y,
              unit * random.between(0.1, 0.16),
            ),
          )
          .join("");
  const image = await drawOver(view, blurred("s", unit * 0.01) + frame + board + things + curtain);
  return develop(image, {
    ...size,
    random,
    grain: 6,
    vignette: 0.45,
    bloom: 0.45,
    warmth: random.between(0, 0.8),
  });
}

/** The view beyond the window. It is out of focus: a small image is enough. */
async function viewFrom({ width, height, light, random }: Scene): Promise<Raster> {
  const view = blank(Math.round(width / 3), Math.round(height / 3));
  const horizon = view.height * random.between(0.48, 0.6);
  const sun = { x: view.width * random.between(0.2, 0.8), y: horizon * (1 - light.elevation) };
  paintSky(view, { light, clouds: cloudsOf(light.hour, random), horizon, sun, random });
  paintLand(view, {
    land: random.pick(["hills", "alps", "hills"]),
    light,
    horizon,
    sun,
    haze: 0.4,
    random,
  });
  const bytes = await sharp(
    Buffer.from(view.data.map((value) => Math.min(255, Math.max(0, value)))),
    { raw: { width: view.width, height: view.height, channels: 3 } },
  )
    .blur(3.2)
    .resize(width, height, { fit: "fill" })
    .raw()
    .toBuffer();
  return { width, height, data: Float32Array.from(bytes) };
}

function curtains({ width, height, light, random }: Scene): string {
  const left = random.chance(0.5);
  const wide = width * random.between(0.16, 0.26);
  const folds = Array.from(
    { length: 6 },
    (_, i) =>
      `<rect x="${(left ? 0 : width - wide) + (wide * i) / 6}" width="${wide / 12}" height="${height}" fill="#fff" opacity="${random.between(0.1, 0.35)}" filter="url(#s)"/>`,
  ).join("");
  return `<rect x="${left ? 0 : width - wide}" width="${wide}" height="${height}" fill="${hex(mix([240, 232, 220], light.horizon, 0.3))}" opacity=".62"/>${folds}`;
}

/** A cat seen from behind, looking out, with the light around its edges. */
function cat({ light, random }: Scene, x: number, y: number, tall: number): string {
  const fur = rgb(random.pick(["#2a2522", "#5a4230", "#7a4f2a", "#4a4a50", "#cfc4b4"]));
  const body =
    "M-.3 0C-.42 -.2 -.34 -.46 -.19 -.58C-.24 -.68 -.24 -.8 -.2 -.86L-.19 -1L-.09 -.92Q0 -.95 .09 -.92L.19 -1L.2 -.86C.24 -.8 .24 -.68 .19 -.58C.34 -.46 .42 -.2 .3 0Q0 .05 -.3 0Z";
  const tail = random.chance(0.5)
    ? "M.24 -.04C.46 -.02 .6 .05 .56 .17C.53 .25 .44 .24 .45 .17"
    : "M-.24 -.04C-.46 -.02 -.6 .05 -.56 .17C-.53 .25 -.44 .24 -.45 .17";
  const dark = hex(mix(fur, [12, 9, 12], 0.55));
  const stripes = random.chance(0.5)
    ? `<path d="M-.12 -.5Q0 -.46 .12 -.5M-.18 -.38Q0 -.33 .18 -.38M-.22 -.25Q0 -.19 .22 -.25M-.07 -.84V-.76M0 -.86V-.76M.07 -.84V-.76" stroke="#0c080a" stroke-opacity=".5" stroke-width=".028" fill="none" stroke-linecap="round"/>`
    : "";
  return (
    `<ellipse cx="${x}" cy="${y + tall * 0.03}" rx="${tall * 0.46}" ry="${tall * 0.07}" fill="#0a070a" opacity=".5" filter="url(#s)"/>` +
    `<radialGradient id="fur" cx=".5" cy=".55" r=".62"><stop stop-color="${dark}"/><stop offset=".72" stop-color="${hex(mix(fur, [12, 9, 12], 0.3))}"/><stop offset="1" stop-color="${hex(mix(fur, light.horizon, 0.45))}"/></radialGradient>` +
    `<g transform="translate(${x} ${y}) scale(${tall})"><path d="${tail}" stroke="${hex(mix(fur, [12, 9, 12], 0.4))}" stroke-width=".085" fill="none" stroke-linecap="round"/><path d="${body}" fill="url(#fur)" stroke="${hex(light.horizon)}" stroke-opacity=".55" stroke-width=".012"/>${stripes}</g>`
  );
}

function pot({ light, random }: Scene, x: number, y: number, r: number): string {
  const clay = toneOf(random, [14, 18, 200, 45], [0.2, 0.5], [0.3, 0.48]);
  const high = r * 0.95;
  const leaves: string[] = [];
  const tall = random.chance(0.5);
  for (let i = 0; i < 17; i += 1) {
    const angle = random.between(-1.25, 1.25);
    const long = r * (tall ? random.between(1.3, 2.4) : random.between(0.7, 1.4));
    const tip = { x: Math.sin(angle) * long * 0.8, y: -Math.cos(angle) * long };
    const wide = long * random.between(0.08, 0.16);
    const color = mix(
      hsl(random.between(85, 145), 0.3, random.between(0.14, 0.32)),
      light.horizon,
      random.between(0, 0.2),
    );
    leaves.push(
      `<path d="M0 0Q${tip.x * 0.3 - wide} ${tip.y * 0.6} ${tip.x} ${tip.y}Q${tip.x * 0.5 + wide} ${tip.y * 0.5} 0 0Z" fill="${hex(color)}"/>`,
    );
  }
  return (
    `<ellipse cx="${x}" cy="${y}" rx="${r * 0.8}" ry="${r * 0.14}" fill="#0a070a" opacity=".5" filter="url(#s)"/><g transform="translate(${x} ${y - high})">${leaves.join("")}</g>` +
    `<path d="M${x - r * 0.6} ${y - high}H${x + r * 0.6}L${x + r * 0.44} ${y}H${x - r * 0.44}Z" fill="${hex(mix(clay, [14, 10, 14], 0.3))}"/><path d="M${x - r * 0.68} ${y - high - r * 0.1}H${x + r * 0.68}V${y - high + r * 0.12}H${x - r * 0.68}Z" fill="${hex(clay)}"/>`
  );
}
