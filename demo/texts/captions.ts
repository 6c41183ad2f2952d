import type { Subject } from "../photos/subjects.ts";
import type { Language } from "../accounts/names.ts";
import type { Random } from "../random.ts";

/** What people talk about under a picture. */
export type Topic =
  | "mountains"
  | "water"
  | "hills"
  | "desert"
  | "night"
  | "lights"
  | "forest"
  | "house"
  | "table"
  | "flowers"
  | "tiles"
  | "market"
  | "cat"
  | "plants";

export function topicOf(subject: Subject): Topic {
  switch (subject.kind) {
    case "landscape":
      if (subject.land === "alps" || subject.land === "winter") return "mountains";
      if (subject.land === "hills") return "hills";
      return subject.land === "dunes" || subject.land === "canyon" ? "desert" : "water";
    case "bokeh":
    case "skyline":
      return "lights";
    case "facade":
      return "house";
    case "stillLife":
    case "tabletop":
      return "table";
    case "meadow":
      return "flowers";
    case "sill":
      return subject.guest;
    default:
      return subject.kind;
  }
}

const openings: Record<Topic, string[]> = {
  mountains: [
    "Four hours up, one sandwich, worth it.",
    "The pass opened this week.",
    "I forgot how quiet it is up here.",
    "Every year I think I remember this view, and every year I am wrong.",
    "Woke at four for this. No complaints.",
    "My knees have opinions. My eyes have others.",
    "Somewhere behind that ridge is the hut with the good soup.",
    "First walk of the season.",
    "No signal, no hurry.",
    "Took the long way round.",
  ],
  water: [
    "The ferry was late and nobody minded.",
    "Not a breath of wind until noon.",
    "Same bench, same time, different sea.",
    "We rowed out until the bells were gone.",
    "Salt on everything, including the lens.",
    "Swam before breakfast. Cold is a matter of opinion.",
    "My grandfather knew every one of these by name.",
    "The water was doing that thing again.",
    "Anchored here for the night.",
    "If you listen you can hear the rigging.",
  ],
  hills: [
    "The road to my sister's.",
    "You could smell the hay from here.",
    "Went looking for mushrooms, found this.",
    "Three villages in one look.",
    "The field behind the school, believe it or not.",
    "Wind in the grass all afternoon.",
    "Cycling home the wrong way, on purpose.",
    "Everything is green at once and it will not last.",
    "Lay down here for an hour. Recommend it.",
  ],
  desert: [
    "Day three. Sand in the tea.",
    "The colours change every ten minutes.",
    "I have never heard so little.",
    "We slept under this.",
    "From the trip, because I still think about it.",
    "Somebody walked here before us; the wind has already taken it.",
    "The guide said: wait. So we waited.",
    "Older than anything I know.",
  ],
  night: [
    "Thirty seconds, one tripod, frozen fingers.",
    "Switched off every lamp in the house for this.",
    "My daughter counted to four hundred and fell asleep.",
    "The neighbours were all outside too.",
    "Clear for the first time in weeks.",
    "Nobody wanted to be the first to go in.",
    "It was brighter than the photo. It always is.",
    "The dog did not understand why we stood in a field.",
    "Could not sleep, so.",
  ],
  lights: [
    "Rain on the lens, kept it.",
    "Waiting for the last tram.",
    "Town looks its best when it is slightly out of focus.",
    "Walked home the bright way.",
    "Friday.",
    "The market square after the concert.",
    "Took my glasses off. This is what it looks like.",
    "Ten minutes later the power went out. Really.",
  ],
  forest: [
    "The path above the mill, seven in the morning.",
    "Fog until eleven. I was not in a hurry.",
    "You could hear the drops.",
    "Met nobody, and a deer.",
    "The trees at the back are the ones my class planted.",
    "Smelled of resin and wet wool.",
    "Turned round because of the cold, then turned round again because of the light.",
    "Quiet enough to hear my own jacket.",
  ],
  house: [
    "I pass this every day and never looked up.",
    "Number 14, Mill Lane. The lady on the first floor waved.",
    "Half past four, when the shadow reaches the door.",
    "They painted it at last.",
    "Somebody is practising the trumpet in there.",
    "My collection of doors grows.",
    "I would like to know who lives behind the middle window.",
    "Born in this house. Second window from the left.",
    "Shutters closed: too hot for anybody.",
    "The wall keeps the sun until ten at night.",
  ],
  table: [
    "Sunday, slowly.",
    "Everything here is from the garden except the table.",
    "Second breakfast, as is right.",
    "The light came in and I had to let the tea go cold.",
    "Breakfast for one, and what a one.",
    "Grandmother's plate, my recipe.",
    "Nobody touched it until I had taken this. Sorry, everybody.",
    "Painted this three times, so now a photo.",
    "A small lunch that took all morning.",
    "Home.",
  ],
  flowers: [
    "They came up by themselves between the tracks.",
    "Along the river, past the second bridge.",
    "I know nothing about flowers. These are the red ones my mother likes.",
    "Two weeks of this a year.",
    "Bees in every one of them.",
    "Do not pick them, come and look.",
    "Knelt in something wet for this.",
    "The verge that the council did not mow. Thank you, council.",
  ],
  tiles: [
    "From the stairwell of the old baths.",
    "Found under three layers of paint.",
    "One of them is upside down. Can you find it?",
    "The kitchen wall at the post office café.",
    "My aunt has laid these by hand.",
    "Counted them. There are a lot.",
    "Pattern of the week.",
    "I could look at this all day, and did.",
  ],
  market: [
    "Tuesday market, before the crowd.",
    "He gave me two extra because it was raining.",
    "The good ones are at the back.",
    "Bought too many. Jam on Saturday, come by.",
    "You can smell this picture.",
    "Season's first.",
    "Weighed by hand, priced by mood.",
    "She builds these heaps every morning at five.",
  ],
  cat: [
    "Management is checking the weather.",
    "She has sat like this since breakfast.",
    "Waiting for the postwoman.",
    "The neighbour's. He comes for the view.",
    "Do not disturb.",
    "Twelve years, same window.",
    "The blackbird is back, and so is this.",
    "He knows that I know that he was on the table.",
  ],
  plants: [
    "They have grown more than I have this year.",
    "The left one is called Gerald.",
    "Re-potted everything today.",
    "Moved them for the light; they moved me for the view.",
    "Survivors of my holiday.",
    "It looks better from inside today.",
    "Cuttings to give away, bring a jar.",
  ],
};

const afterthoughts = [
  "",
  "",
  "",
  "",
  "",
  "Good night, all.",
  "See you on Tuesday?",
  "More tomorrow.",
  "Thank you for the tip, you know who you are.",
  "No filter, just patience.",
  "I should do this more often.",
  "Taken with the old camera.",
  "That is all.",
  "Who is coming along next time?",
  "Wish you were here.",
  "🌿",
  "☀️",
  "Back soon.",
  "I have forty more of these, do not ask.",
  "📮",
];

const own: Partial<Record<Language, { nature: string[]; town: string[]; home: string[] }>> = {
  es: {
    nature: [
      "Hoy el aire estaba limpio y se veía todo.",
      "Volvimos con los pies cansados y los ojos llenos.",
      "Qué silencio, por fin.",
    ],
    town: ["La calle de siempre, con otra luz.", "A esta hora el barrio es mío."],
    home: ["Domingo sin prisa.", "Receta de la abuela; la foto es mía."],
  },
  fr: {
    nature: [
      "On est restés jusqu'à ce qu'il fasse froid.",
      "Le vent s'est levé juste après.",
      "Rien à ajouter, sinon le bruit de l'eau.",
    ],
    town: [
      "Je passe ici tous les jours, et aujourd'hui j'ai levé la tête.",
      "La lumière de cinq heures.",
    ],
    home: ["Un petit déjeuner qui a duré jusqu'à midi.", "Dimanche, lentement."],
  },
  de: {
    nature: [
      "Vier Stunden Anstieg, eine Brotzeit, kein Empfang.",
      "So still, dass man die eigenen Schritte hört.",
      "Morgen wieder.",
    ],
    town: ["Jeden Tag daran vorbei, heute zum ersten Mal hochgeschaut.", "Feierabendlicht."],
    home: ["Sonntag, ganz langsam.", "Erst das Foto, dann der Kuchen. Tut mir leid."],
  },
  pt: {
    nature: ["Ficámos até não se ver mais nada.", "O mar hoje não quis conversa, só olhar."],
    town: ["A rua da minha infância.", "Fim de tarde no bairro."],
    home: ["Café, pão e tempo.", "Domingo é isto."],
  },
  it: {
    nature: [
      "Siamo rimasti finché non è sceso il freddo.",
      "Qui non prende il telefono, che meraviglia.",
    ],
    town: [
      "Quella finestra che guardo sempre.",
      "Il sole arriva alle quattro e se ne va alle cinque.",
    ],
    home: ["Domenica mattina.", "La ricetta non la dico."],
  },
  tr: {
    nature: ["Rüzgâr dinince çektim.", "Yol uzundu ama değdi."],
    town: ["Eve dönerken.", "Bizim sokak, akşamüstü."],
    home: ["Pazar kahvaltısı uzun sürdü.", "Çay demlendi, buyurun."],
  },
  ru: {
    nature: [
      "Тишина такая, что слышно, как падает роса.",
      "Встали в четыре утра. Не жалеем.",
      "Туман разошёлся к обеду.",
    ],
    town: ["Дом, мимо которого я хожу каждый день.", "Вечер, последний трамвай."],
    home: ["Воскресенье без спешки.", "Чай остыл, зато свет поймал."],
  },
  el: {
    nature: ["Μείναμε μέχρι που νύχτωσε.", "Η θάλασσα σήμερα λάδι."],
    town: ["Η γειτονιά το απόγευμα."],
    home: ["Κυριακή πρωί, χωρίς βιασύνη."],
  },
  ar: {
    nature: [
      "هدوء لا يُوصف، والهواء نظيف.",
      "مشينا ثلاث ساعات من أجل هذا المنظر.",
      "صباح الخير من هنا.",
    ],
    town: ["أمرّ من هنا كل يوم، واليوم فقط رفعت رأسي.", "ضوء العصر على الجدران القديمة."],
    home: ["قهوة الجمعة على مهل.", "وصفة جدّتي، والصورة لي."],
  },
  he: {
    nature: ["שקט כזה לא שמעתי מזמן.", "קמנו בארבע בבוקר בשביל זה."],
    town: ["הבית שאני עוברת לידו כל יום.", "אור של אחר הצהריים."],
    home: ["שבת בבוקר, לאט.", "קודם תמונה, אחר כך אוכלים."],
  },
  hi: {
    nature: ["सुबह चार बजे उठे, और यह मिला।", "इतनी शांति बहुत दिनों बाद।"],
    town: ["रोज़ यहीं से गुज़रती हूँ, आज पहली बार ऊपर देखा।"],
    home: ["रविवार की धीमी सुबह।", "चाय ठंडी हो गई, पर रोशनी मिल गई।"],
  },
  ja: {
    nature: ["風が止んだ瞬間。", "早起きしてよかった。", "静かで、自分の足音しか聞こえない。"],
    town: ["いつもの道、いつもと違う光。", "最終電車を待ちながら。"],
    home: ["日曜日はゆっくり。", "冷めたけど、光がきれいだったので。"],
  },
  zh: {
    nature: ["走了四个小时，值得。", "风停了，湖面像镜子一样。", "清晨五点，只有我和鸟。"],
    town: ["每天路过，今天才抬头看。", "傍晚的老街。"],
    home: ["周日，慢慢来。", "茶凉了，光还在。"],
  },
  ko: {
    nature: ["바람이 멈춘 순간.", "새벽 네 시에 일어난 보람."],
    town: ["매일 지나는 골목, 오늘은 빛이 달랐다."],
    home: ["느린 일요일 아침.", "차는 식었지만 빛이 좋았다."],
  },
};

const natural = new Set<Topic>([
  "mountains",
  "water",
  "hills",
  "desert",
  "night",
  "forest",
  "flowers",
]);
const urban = new Set<Topic>(["lights", "house", "tiles", "market"]);

/** One caption in a town is as long as a letter, so that folding is seen. */
export const longCaption =
  "A long story for a short picture.\n\nMy uncle kept a notebook of the weather for forty-one years: wind, clouds, what the swallows did, who came by. When he died we found that he had never once written about himself, and yet he is on every page. “Fog till ten. Anna laughed.” “Hail. Lost the beans, kept the cellar dry.” “Clear. Walked to the ridge and back for no reason.”\n\nI have started one of my own. I am not as patient as he was, so mine has pictures. This is today’s page. The cloud on the left he would have called a sheep that has lost its shepherd, and the light a borrowed one, because it never stays.\n\nIf you have such a notebook at home, do not throw it away. If you have none: any pencil will do. Begin with the wind.\n\nAnd if you knew him, tell me something that he did not write down. I will put it in.";

/** The words under a picture; now and then none at all. */
export function captionOf(subject: Subject, language: Language, random: Random): string {
  const draw = random.next();
  if (draw < 0.1) return "";
  const topic = topicOf(subject);
  const mine = own[language];
  if (mine && random.chance(0.4)) {
    return random.pick(natural.has(topic) ? mine.nature : urban.has(topic) ? mine.town : mine.home);
  }
  const opening = random.pick(openings[topic]);
  const more = random.pick(afterthoughts);
  if (more === "") return opening;
  return random.chance(0.2) ? `${opening}\n\n${more}` : `${opening} ${more}`;
}
