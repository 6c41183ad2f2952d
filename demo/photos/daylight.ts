import type { Random } from "../random.ts";
import { type Color, rgb } from "./raster.ts";

export type Hour = "dawn" | "morning" | "noon" | "golden" | "sunset" | "dusk" | "overcast";

/** The light of an hour: what the sky looks like and how it lights the land. */
export type Light = {
  hour: Hour;
  zenith: Color;
  middle: Color;
  horizon: Color;
  sun: Color;
  cloudLit: Color;
  cloudShade: Color;
  /** colour of direct and of scattered light on the land, as factors */
  direct: Color;
  ambient: Color;
  /** height of the sun over the horizon, as a share of the sky */
  elevation: number;
};

/** Six colours from the zenith to the shade of clouds, as in `Light`; direct, ambient, elevation. */
type Look = [sky: string, direct: Color, ambient: Color, elevation: number];
const looks: Record<Hour, Look[]> = {
  dawn: [
    ["5b7fae c9b6c6 f7cfae fff0d0 fbd9c4 8d89a8", [1.1, 0.86, 0.7], [0.5, 0.52, 0.64], 0.1],
    ["7d9fbf d9cbd2 ffd9c0 fff3dc ffe6d8 a79fb5", [1.05, 0.88, 0.76], [0.55, 0.56, 0.66], 0.08],
  ],
  morning: [
    ["3d7cc4 8dbce4 d7e8ef fffbe8 ffffff b4c3d4", [1.08, 1.02, 0.9], [0.52, 0.58, 0.68], 0.45],
    ["4f93c9 a5cfe6 e8efe6 fffbe8 fffdf6 b9c6cf", [1.1, 1.0, 0.86], [0.5, 0.57, 0.66], 0.4],
  ],
  noon: [
    ["1f63b8 5b9fdd bcdcf0 ffffff ffffff b3c4d8", [1.12, 1.08, 1.0], [0.5, 0.57, 0.7], 0.8],
    ["2a74b5 6fb0d8 cfe5ea ffffff ffffff bccbd6", [1.1, 1.06, 0.98], [0.52, 0.58, 0.68], 0.75],
  ],
  golden: [
    ["4c7bb0 b5c3c9 f9dca2 fff1c4 ffe9c2 a99aa0", [1.22, 0.95, 0.62], [0.46, 0.47, 0.58], 0.16],
    ["6a8fb5 d3c7b4 ffd491 ffefc0 ffe3b0 b39a94", [1.25, 0.94, 0.58], [0.46, 0.46, 0.56], 0.13],
  ],
  sunset: [
    ["37477e b46d86 f9a25c ffe3a3 ffb27a 6d5276", [1.15, 0.72, 0.48], [0.4, 0.37, 0.5], 0.05],
    ["2f4a80 8a6d9b f2837a ffd9a8 ff9f8a 574f7d", [1.08, 0.66, 0.54], [0.4, 0.38, 0.54], 0.04],
    ["40557f d08a6a ffc15e fff0b8 ffc083 7a5b62", [1.2, 0.8, 0.45], [0.4, 0.36, 0.44], 0.06],
  ],
  dusk: [
    ["1c2a52 4f5b8e c08a97 ffd0b0 a98aa8 3b4270", [0.6, 0.5, 0.58], [0.34, 0.36, 0.54], 0.01],
    ["182c4e 46698c b9a59a ffdcb8 93909f 34486a", [0.55, 0.52, 0.58], [0.32, 0.38, 0.52], 0.01],
  ],
  overcast: [
    ["8795a3 aebac3 d3d9dc f2f2ee dfe4e7 8b97a3", [0.74, 0.76, 0.78], [0.62, 0.64, 0.68], 0.5],
    ["76838c a2aca9 d0d3c8 f2f2ee d6dad3 7c8786", [0.72, 0.74, 0.7], [0.6, 0.63, 0.62], 0.5],
  ],
};

export function lightOf(hour: Hour, random: Random): Light {
  const [sky, direct, ambient, elevation] = random.pick(looks[hour]);
  const color = (index: number) => rgb(`#${sky.split(" ")[index]}`);
  return {
    hour,
    zenith: color(0),
    middle: color(1),
    horizon: color(2),
    sun: color(3),
    cloudLit: color(4),
    cloudShade: color(5),
    direct,
    ambient,
    elevation,
  };
}
