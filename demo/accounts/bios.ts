import type { Random } from "../random.ts";
import type { Language } from "./names.ts";

const trades = [
  "Baker at the corner of Mill Lane",
  "Retired ferry captain",
  "Nurse on the night shift",
  "I repair bicycles and sometimes people's moods",
  "Teacher of everything except maths",
  "Carpenter",
  "Gardener",
  "Beekeeper with eleven hives",
  "Librarian",
  "Postwoman, round four",
  "Student, mostly of bread",
  "Violin maker",
  "Vet for cows, photographer for cats",
  "Weather watcher",
  "Tram driver on line 3",
  "Potter, clay under every nail",
  "Mathematician on a long walk",
  "Painter and decorator",
  "Cook at the harbour kitchen",
  "Piano teacher",
  "Translator between four languages and one family",
  "Botanist",
  "Retired, busier than ever",
  "Clockmaker",
  "Fisherman, third generation",
];
const loves = [
  "film cameras",
  "long walks",
  "cold swims",
  "old doors",
  "tomatoes",
  "maps",
  "early mornings",
  "night trains",
  "tea",
  "other people's gardens",
  "bread that crackles",
  "clouds",
  "moss",
  "tiles",
  "second-hand books",
  "slow bicycles",
  "lighthouses",
  "the smell of rain",
  "chess in the park",
  "oranges",
];
const closings = [
  "Pictures are mine, mistakes too.",
  "Say hello when you see me.",
  "Mostly skies.",
  "No filters, little sleep.",
  "Two cats, one opinion each.",
  "Here since the flood.",
  "Ask me about soup.",
  "Still learning the light.",
  "One photo a week, if the dog allows.",
  "Living by the river since 1987.",
  "Always a pencil behind the ear.",
];
const own: Partial<Record<Language, string[]>> = {
  es: [
    "Hago pan y fotos, en ese orden.",
    "Vecina del puerto. Camino mucho, publico poco.",
    "Coleccionista de puertas viejas y de tardes largas.",
  ],
  fr: [
    "Libraire le jour, promeneuse le soir.",
    "J'aime le pain, la pluie et les phrases courtes.",
    "Un peu de mer dans chaque image.",
  ],
  de: [
    "Fahrräder, Käsekuchen, Bergluft.",
    "Früher Kapitän, heute Gärtner.",
    "Meistens draußen, selten pünktlich.",
  ],
  pt: ["Entre o mar e a cozinha.", "Azulejos, café e conversa boa.", "Fotografo devagar."],
  it: ["Cucino, cammino, ogni tanto scatto.", "Il caffè lungo è un delitto, le passeggiate no."],
  tr: ["Çay, deniz, uzun yürüyüşler.", "Kedim benden daha ünlü."],
  ru: ["Чай, книги и старый фотоаппарат.", "Люблю туман и трамваи.", "Дачник по выходным."],
  el: ["Θάλασσα, καφές, καλή παρέα.", "Μαζεύω φως τα απογεύματα."],
  ar: [
    "أحبّ البحر والقهوة والصباحات الهادئة.",
    "معلّمة، وأصوّر ما يعجبني في الطريق.",
    "خبّاز في النهار، قارئ في الليل.",
  ],
  he: ["קפה, ים, ספרים ישנים.", "מצלם לאט, הולך מהר."],
  hi: ["चाय, किताबें और बारिश।", "शहर की गलियों में घूमना पसंद है।"],
  ja: ["散歩とコーヒーと古いカメラ。", "空ばかり撮っています。"],
  zh: ["喜欢茶、旧书和下雨天。", "慢慢走，慢慢拍。"],
  ko: ["산책, 커피, 오래된 골목.", "고양이 두 마리와 삽니다."],
};

/** Up to three short lines about a life. */
export function bioOf(random: Random, language: Language): string {
  const mine = own[language];
  if (mine && random.chance(0.45)) {
    const line = random.pick(mine);
    return random.chance(0.3) ? `${line}\n${random.pick(trades)}.` : line;
  }
  const [one, two, three] = random.shuffled(loves);
  const parts = [`${random.pick(trades)}.`];
  if (random.chance(0.75)) parts.push(`I like ${one}, ${two} and ${three}.`);
  if (random.chance(0.5)) parts.push(random.pick(closings));
  return parts.join(random.chance(0.3) ? "\n" : " ");
}
