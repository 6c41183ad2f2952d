import type { Language } from "../accounts/names.ts";
import type { Random } from "../random.ts";
import type { Topic } from "./captions.ts";

const about: Record<Topic | "words", string[]> = {
  mountains: [
    "Which side did you come up?",
    "I can feel the cold air from here.",
    "Was the hut open?",
    "That ridge beat me twice.",
    "Next time take me along, I carry the sandwiches.",
    "The light on the left flank!",
    "My father proposed up there. It rained.",
    "How long did you wait for this?",
    "I would hang this over the stove.",
  ],
  water: [
    "I was on that ferry!",
    "The reflection is better than the real thing.",
    "Cold?",
    "Is this from the breakwater?",
    "Now I want to go sailing.",
    "You can nearly hear it.",
    "The colour of that water.",
    "We must have stood on the same spot an hour apart.",
    "Good wind tomorrow, they say.",
  ],
  hills: [
    "That is my grandmother's field.",
    "So green. Here everything is dust.",
    "I cycle there on Thursdays, wave if you see me.",
    "Where exactly is this?",
    "The shadows of the clouds are the best part.",
    "Did you find any mushrooms though?",
    "I want to roll down that.",
    "Looks like a painting and also like my way to work.",
  ],
  desert: [
    "The silence must have been enormous.",
    "How hot was it?",
    "Those shadows.",
    "I have sand in my shoes just from looking.",
    "Tell me about the stars there.",
    "That red!",
    "More of the trip, please.",
    "Unreal.",
  ],
  night: [
    "I saw it too, from the roof!",
    "How long an exposure?",
    "I slept through it. Of course.",
    "This is why I moved here.",
    "Goosebumps.",
    "The children are asking to see this on the big screen.",
    "We switched off our porch lamp for you.",
    "Better than mine by far.",
  ],
  lights: [
    "Looks like a box of sweets.",
    "I love the town like this.",
    "Was that Friday? I was soaked.",
    "It looks how music sounds.",
    "Put this on a record sleeve.",
    "Which bridge?",
    "The wet street does half the work, you did the rest.",
  ],
  forest: [
    "I can smell it.",
    "The path with the fallen beech?",
    "Fog is the best photographer.",
    "So many greys, and none of them sad.",
    "Did you see the owl?",
    "I got lost there in 1994.",
    "Layers upon layers.",
    "Peaceful.",
  ],
  house: [
    "I know that door.",
    "My piano teacher lived there.",
    "What a colour.",
    "That shadow is a clock.",
    "You should make a calendar of these.",
    "The shutters!",
    "Is the bakery still on the ground floor?",
    "I looked up too, because of you.",
    "They never close that one window.",
  ],
  table: [
    "I am on my way.",
    "Recipe, please.",
    "The light on that wall.",
    "Now I am hungry.",
    "Is there some left?",
    "That cup!",
    "This is what Sunday is for.",
    "You make ordinary things look like a museum.",
    "My mother had the same cloth.",
  ],
  flowers: [
    "My favourites.",
    "Mine are a week behind.",
    "The blur is lovely.",
    "Are these the ones by the river?",
    "Please, council, never mow again.",
    "So soft.",
    "I could use some of that colour today.",
    "Sneezing already, but happily.",
  ],
  tiles: [
    "Third row, second from the left?",
    "I want this as a scarf.",
    "Who makes these nowadays?",
    "Hypnotic.",
    "The baths! I learned to swim there.",
    "All of them, please, for my kitchen.",
    "I counted too. We disagree.",
  ],
  market: [
    "Save me a kilo.",
    "I can smell them.",
    "He always gives two extra.",
    "Jam on Saturday? I will bring jars.",
    "Look at that heap. An engineer, she is.",
    "The colours!",
    "How much this week?",
  ],
  cat: [
    "Who is this gentleman?",
    "Please tell her she is perfect.",
    "The ears against the light.",
    "Busy day at the office.",
    "Mine does the same and judges me.",
    "More of this, please.",
    "Such a loaf.",
    "I came for the photos and stayed for the cat.",
  ],
  plants: [
    "Gerald looks well.",
    "I bring a jar tomorrow.",
    "How often do you water them?",
    "Mine would be dead by now.",
    "The view!",
    "Green thumbs.",
    "Is that a cutting from mine?",
  ],
  words: [
    "I needed this today.",
    "Well said.",
    "Ha!",
    "Yes. All of it.",
    "Count me in.",
    "Me too, and I thought I was the only one.",
    "I laughed out loud on the tram.",
    "Say more?",
    "Bring it to the library, we will find out.",
    "I will ask my neighbour, she knows such things.",
    "Best thing I read this week.",
    "I disagree, kindly.",
    "Come by, I have two.",
    "Saved this.",
    "You should write a book.",
    "My thoughts exactly, only shorter.",
  ],
};

const general = [
  "Beautiful.",
  "Oh, this one.",
  "Lovely light.",
  "❤️",
  "👏👏👏",
  "Thank you for this.",
  "I keep coming back to it.",
  "How do you do it?",
  "Wonderful.",
  "Print it, frame it, hang it.",
  "What a day that was.",
  "😍",
  "You have an eye.",
  "This made my morning.",
  "Simple and perfect.",
  "Great one!",
  "I missed your pictures.",
  "So calm.",
  "More, please!",
  "Wow.",
  "Sending this to my sister.",
  "That is a postcard.",
  "You were up early again!",
  "🌞",
];

/** Under words nobody praises the light. */
const heartfelt = [
  "❤️",
  "👏👏👏",
  "This made my morning.",
  "Sending this to my sister.",
  "Thank you for this.",
  "🌞",
  "So true.",
  "I read it twice.",
];

const own: Partial<Record<Language, string[]>> = {
  es: ["¡Qué maravilla!", "Me encanta la luz.", "¿Dónde es?", "Preciosa."],
  fr: ["Magnifique.", "Quelle lumière !", "J'adore.", "C'est où ?"],
  de: ["Wunderschön.", "Dieses Licht!", "Da war ich letzte Woche auch.", "Ganz toll."],
  pt: ["Que lindo!", "Adorei.", "Que saudade desse lugar."],
  it: ["Bellissima.", "Che luce!", "Complimenti."],
  tr: ["Çok güzel olmuş.", "Ellerine sağlık.", "Harika!"],
  ru: ["Как красиво!", "Какой свет.", "Чудесно, спасибо!", "Где это?"],
  el: ["Υπέροχο!", "Τι όμορφο φως."],
  ar: ["رائعة!", "ما شاء الله، صورة جميلة جدًا.", "أين هذا المكان؟", "سلمت يداك."],
  he: ["מהמם!", "איזה אור.", "איפה זה?"],
  hi: ["बहुत सुंदर!", "क्या रोशनी है।", "वाह!"],
  ja: ["きれい！", "光が素敵ですね。", "行ってみたいです。", "最高。"],
  zh: ["太美了！", "这光线真好。", "好想去。", "收藏了。"],
  ko: ["정말 예쁘네요!", "빛이 좋아요.", "여기 어디예요?"],
};

const replies = [
  "Thank you!",
  "Thank you, all of you.",
  "Come along next time.",
  "Just past the second bridge.",
  "Half an hour, I think.",
  "You are kind.",
  "Tuesday?",
  "Still there, hurry.",
  "I will tell you over coffee.",
  "🙏",
];

/**
 * The comments under one post in the order in which its commenters are counted: no two alike until
 * the words run out, and the first ones the same however many follow.
 */
export function commentPool(topic: Topic | "words", random: Random): string[] {
  const fitting = random.shuffled(about[topic]);
  const rest = random.shuffled(topic === "words" ? heartfelt : general);
  return fitting
    .flatMap((line, index) => (index < rest.length ? [line, rest[index] as string] : [line]))
    .concat(rest.slice(fitting.length));
}

export function commentInLanguage(language: Language, random: Random): string | null {
  const lines = own[language];
  return lines && random.chance(0.35) ? random.pick(lines) : null;
}

/** What the author answers, in an order of its own under every post. */
export const replyPool = (random: Random) => random.shuffled(replies);
