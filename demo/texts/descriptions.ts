import type { Subject } from "../photos/subjects.ts";

const hours = {
  dawn: "at dawn",
  morning: "on a bright morning",
  noon: "under a high sun",
  golden: "in low golden light",
  sunset: "at sunset",
  dusk: "at dusk",
  overcast: "under a grey sky",
};
const lands = {
  alps: "Steep mountains above a green valley",
  lake: "A still lake between mountains",
  winter: "Snowfields below rocky peaks",
  hills: "Rolling hills with patches of woodland",
  dunes: "Sand dunes with soft shadows",
  canyon: "Red rock towers and terraces",
  islands: "Rocky islands in a calm sea",
  sea: "The open sea up to the horizon",
};
const extras = {
  none: "",
  birds: ", a few birds crossing the sky",
  sailboats: ", sailing boats on the water",
  balloons: ", striped hot-air balloons overhead",
  pines: ", dark firs at the edge",
  lighthouse: ", a striped lighthouse on a cliff",
  grasses: ", blurred grasses in front",
};
const nights = {
  milkyWay: "The Milky Way over a dark ridge, full of stars",
  aurora: "Green curtains of northern lights above black hills",
  moon: "A full moon between thin clouds over a ridge",
};
const woods = {
  fog: "Rows of firs fading into fog",
  frost: "Blue-grey firs in frosty haze",
  autumn: "Larches and firs in rust, gold and green, paler in the distance",
  sunrise: "Firs in layers of warm morning mist",
};
const foods = {
  berries: "a plate of red and blue berries",
  tart: "a small fruit tart",
  bread: "two slices of buttered bread",
  citrus: "halved citrus fruit",
};
const guests = {
  cat: "A cat seen from behind, sitting on a window sill and looking out at the hills",
  plants: "Three potted plants on a window sill, hills beyond the glass",
};

/** What somebody who cannot see the picture needs to know. */
export function altOf(subject: Subject): string {
  switch (subject.kind) {
    case "landscape":
      return `${lands[subject.land]} ${hours[subject.hour]}${extras[subject.extra]}.`;
    case "night":
      return `${nights[subject.sight]}.`;
    case "bokeh":
      return "City lights out of focus: round spots of colour on a dark evening.";
    case "skyline":
      return `A row of tall houses with lit windows, mirrored in the water ${hours[subject.hour]}.`;
    case "forest":
      return `${woods[subject.weather]}.`;
    case "facade":
      return `The front of a ${subject.wall} house with shuttered windows${subject.flowers ? " and flower boxes" : ""}, a diagonal shadow across the wall.`;
    case "stillLife":
      if (subject.thing === "vase")
        return `A vase of ${subject.flower} on a table with ${subject.fruit}, window light on the wall.`;
      if (subject.thing === "bowl")
        return `A bowl heaped with ${subject.fruit} on a table, window light on the wall.`;
      return `A pile of books with one of several ${subject.fruit} on top, window light on the wall.`;
    case "tabletop":
      return `A table from above: a cup of ${subject.drink} and ${foods[subject.food]}.`;
    case "meadow":
      return `${subject.flower[0]?.toUpperCase()}${subject.flower.slice(1)} in a meadow in ${subject.light} light, the background soft and green.`;
    case "tiles":
      return `Painted wall tiles, mostly ${subject.color}, four of them making one figure.`;
    case "market":
      return `Wooden crates of fruit seen from above, ${subject.fruit} in front.`;
    case "sill":
      return `${guests[subject.guest]}.`;
  }
}
