import type { Language } from "../accounts/names.ts";
import { type Random, randomOf } from "../random.ts";

/** Posts of words alone: short notes, questions, small stories. */
const lines = [
  "Does anybody know who left a basket of pears on every doorstep in Mill Lane? Thank you, whoever you are.",
  "Lost: one blue glove, left hand, near the tram stop. Found: one blue glove, left hand, near the tram stop. So there are two of us.",
  "The ferry runs again from Monday. First boat at six, for those who like their coffee with horizon.",
  "Things I learned this week: bread forgives, bicycles do not.",
  "The clock on the town hall is right again. I am almost sorry. I had got used to being early.",
  "Reading in the park is allowed to be the whole plan.",
  "My neighbour practises the trumpet every evening at seven. Today, for the first time, I recognised the song.",
  "If you see a small grey dog with a serious face: his name is Minister and he knows the way home, he only pretends.",
  "Choir needs two more basses. No experience necessary, only a low opinion of high notes.",
  "Somebody has repaired the bench by the river and painted it green. Sit on it. It is excellent.",
  "Question for gardeners: the beans climb everything except the poles. Advice?",
  "I have moved the piano a metre to the left, and it is a different room.",
  "Power cut in our street last night. We all came out with candles and stayed till midnight. Could we do that again without the power cut?",
  "A letter took nineteen years to arrive. It says: See you on Saturday.",
  "To whoever plays chess alone at the café: I am the other one. Tomorrow, four o'clock?",
  "First frost. The roses have decided to ignore it.",
  "I asked the librarian for a book about patience. She said it would take a while.",
  "Seven o'clock, window open, somebody frying onions. All is well.",
  "We are repainting the boathouse on Sunday. Bring old clothes and strong opinions about blue.",
  "Walked to work backwards through every street that I know. Took an hour. Found a bakery.",
  "My grandmother's rule for soup: start before you are hungry.",
  "The swifts are back. Look up around eight.",
  "Thinking about how every stamp is a tiny picture that somebody licked.",
  "Free to a good home: one armchair, comfortable, slightly haunted by a cat.",
  "Today I taught fractions with a cake. They understand halves. They do not believe in thirds.",
  "There is a new word in our house: to ‘harbour’ something, meaning to put it down and never find it again.",
  "The night nurse's view: the town breathes out at about three.",
  "If I am ever rich I shall buy the field by the station and do nothing with it.",
  "Anyone for a swim before work? I bring tea. You bring the courage.",
  "It is not raining, it is rehearsing.",
  "Three things on my desk: a stone from the north beach, a pencil, a list. The list says: stone, pencil.",
  "The apprentice asked why we plane by hand. I let him hear it. He asked no more.",
  "Bees update: they have moved into the lamp post on the square. The council has put up a sign. The bees cannot read, but everybody else has become very polite.",
  "Does the tram driver on line 3 know that he hums? Please nobody tell him.",
  "One hundred days of one photo a day. My main finding: light.",
  "My son asked where the wind sleeps. I said: in the flags. Please do not correct me.",
  "Tomatoes: 61. Zucchini: please help.",
  "I thought it was a quiet day, and then I wrote it down and it filled two pages.",
  "Open evening at the pottery on Thursday. You may touch everything once.",
  "There was applause on the bus this morning. The driver had backed out of Needle Street in one go.",
  "Some people collect stamps. I collect the sentences that strangers finish for each other.",
  "I am told that I wave at everyone. Correct.",
  "Yes, the cinema is really opening again. Yes, with the old seats. Yes, bring a cushion.",
  "On the way home I counted the lit windows: forty-two. I hope that they were all having dinner.",
  "Small victory: the drawer closes.",
  "A reminder that you can ring at the yellow door any time. There is always soup or a reason for it.",
  "The tide took my chair. If you are on the north beach, it is the striped one, and it has earned its freedom.",
  "Does a house know when it is Sunday? Mine does.",
  "I have learned to say ‘nearly’ in eleven languages. It is the most useful word for a carpenter.",
  "The bakery sold out by eight. I was there at nine. We looked at each other for a while.",
  "New rule at the library: whoever whispers best may choose the poem of the week.",
  "If anybody misses a kite: it is in our plum tree and looks content.",
  "The school garden has potatoes. Forty children have seen a miracle and want to know what it is for.",
  "Found my old diary. I was very certain about everything in 1996.",
  "Somebody ought to write down which step on the church tower creaks. It is the 61st.",
  "My mother says that the best salt is the one you forget. My mother's soup says otherwise.",
  "Tonight at nine: film on the harbour wall, sheet provided, stars included.",
  "Cut the hedge. Found: two tennis balls, a spoon, last summer.",
  "Anybody with a big pot? Quinces. That is all I say: quinces.",
  "I gave the fern a name and now I cannot throw it away.",
  "For the record: the moon was enormous and I had no camera, so you must believe me.",
  "The dentist hums too. It is not as nice as on the tram.",
  "Eleven of us at the early swim. One said it was warm. We do not speak to him any more.",
  "A small boy asked me whether I am old or only look it. I said: both, in turns.",
  "Everyone who helped to carry the organ pipes: there will be cake, and there will be Bach, in that order.",
  "I am reading a book so good that I keep putting it down.",
  "The river is high. The ducks are delighted and the benches are boats.",
  "Whoever writes the chalk riddles on the pier: number seven is too hard. We have been there since noon.",
  "Learnt to whistle with two fingers today, at fifty-three. Apologies to the whole street.",
  "The new neighbours waved before they had unpacked a single box. They will fit in.",
  "Please stop leaving zucchini on my doorstep. I know it is you. All of you.",
  "There is fog in the harbour and somebody is singing in it.",
  "Shop notice, seen today: Back at three, or when the fish say so.",
  "A letter to myself in ten years: I hope you kept the armchair.",
  "Sorted the photographs of four generations. Nobody is looking at the camera. We never have.",
  "The only traffic jam today: one tractor, one wedding, one goose.",
  "Good news from the night shift: seven babies, all loud.",
  "The bridge has been painted and is now exactly the colour of the sky on a Thursday.",
  "What do you call the smell when the first heating of the year goes on? There must be a word.",
  "I repaired a music box. The tune is wrong, and everybody prefers it.",
  "You can borrow my ladder. You cannot borrow my ladder and keep it until spring, Walter.",
  "Someone has knitted a scarf for the statue. She looks warmer and, frankly, kinder.",
  "Frost on the inside of the greenhouse: ferns, feathers, one perfect map of Norway.",
  "My apprentice made her first violin. It sounds like a door. A very promising door.",
  "Can a town be homesick? Ours is, when the swifts have gone.",
  "I said ‘see you’ to the sea.",
  "The bus driver waited until I had finished the chapter.",
  "Translated a poem today. It took six hours and one word: ‘meanwhile’.",
];

const stories = [
  "This morning the old man from number 9 was standing at the crossing with a wheelbarrow full of books.\n\nI asked where he was taking them. “To the other side,” he said.\n\nIt turned out that there is a shelf there now, in the old telephone box. Take one, leave one. I took a novel with no last page. I have been inventing endings all day.",
  "We rebuilt the wall between our gardens and could not agree on the height. So we built it as high as our children, who were standing there.\n\nEvery spring we shall have to add a row. That is the plan.",
  "Notes from a week without a telephone:\n\nMonday: I reach for it forty times.\nTuesday: thirty.\nWednesday: somebody asks me the way and I draw a map.\nThursday: I hear the clock in the hall. It has been there since 1980.\nFriday: I read a whole book.\nSaturday: nothing happens, all day long, beautifully.\nSunday: I write this on paper first.",
  "The recipe that several of you asked for.\n\nFlour, as much as fits in two hands held together. Water, as warm as a hand. Salt: a pinch more than you dare. Old dough from a friend (ask me). Wait until you have forgotten it. Fold it like a letter. Wait again. Hot oven, dark crust.\n\nThat is all. The rest is weather.",
  "I drove the night tram for the last time yesterday. Thirty-one years.\n\nAt the terminus somebody had hung a paper chain across the doors, and inside sat nineteen people who had nowhere to go at that hour. They had just come to ride along.\n\nWe did the whole line once more without stopping. I have never been so late, and nobody looked at the clock.",
];

const own: Partial<Record<Language, string[]>> = {
  es: [
    "¿Alguien sabe quién toca la guitarra los jueves en la plaza? Quiero darle las gracias.",
    "He cambiado los muebles de sitio y ahora la casa tiene otra conversación.",
    "Hoy he aprendido que el pan también necesita silencio.",
  ],
  fr: [
    "Cherche quelqu'un pour parler de rien, au café du port, vers cinq heures.",
    "J'ai retrouvé une lettre de mon grand-père. Il y parle surtout du vent.",
    "La pluie a tout annulé, et c'était très bien ainsi.",
  ],
  de: [
    "Wer hat die Bank am Fluss repariert? Sie ist wunderbar geworden. Danke.",
    "Heute nichts geschafft und sehr zufrieden damit.",
    "Suche Mitspieler für Skat, gern auch schlechte. Ich bin es auch.",
  ],
  pt: [
    "Alguém viu um guarda-chuva amarelo? Tem histórias.",
    "Aprendi hoje: a sopa não tem pressa.",
  ],
  it: [
    "Chi suona il clarinetto alle sette di sera? Non smetta.",
    "Oggi ho camminato senza meta e sono arrivata.",
  ],
  tr: ["Komşum her akşam aynı şarkıyı çalıyor, bugün ben de eşlik ettim.", "Çay hazır, kapı açık."],
  ru: [
    "Кто оставил корзину яблок у каждой двери? Спасибо вам, незнакомец.",
    "Сегодня весь день шёл дождь, и я наконец дочитал книгу.",
    "Ищу партнёра по шахматам. Играю плохо, но с удовольствием.",
  ],
  el: [
    "Ποιος παίζει κιθάρα τα βράδια; Μη σταματάς.",
    "Σήμερα δεν έκανα τίποτα, και το έκανα καλά.",
  ],
  ar: [
    "من وضع سلّة التين أمام كل باب في الحارة؟ شكرًا لك أيًّا كنت.",
    "تعلّمت اليوم أن الخبز يحتاج إلى الصبر أكثر من الطحين.",
    "أبحث عن شريك للشطرنج، مستواي متواضع ونيّتي طيّبة.",
  ],
  he: [
    "מישהו יודע מי מנגן בצ׳לו בקומה השנייה? אל תפסיקו.",
    "היום לא עשיתי כלום, ועשיתי את זה היטב.",
  ],
  hi: [
    "गली में हर दरवाज़े पर आमों की टोकरी किसने रखी? बहुत धन्यवाद।",
    "आज सारा दिन बारिश हुई और किताब पूरी हो गई।",
  ],
  ja: [
    "毎晩七時にトランペットを練習しているお隣さん、今日はじめて曲がわかりました。",
    "雨の音を聞きながら本を読む。それだけの一日。",
    "商店街の時計が直りました。ちょっと寂しい。",
  ],
  zh: [
    "今天把钢琴往左挪了一米，房间就不一样了。",
    "谁在每家门口放了一篮梨？谢谢你，好心人。",
    "下了一整天的雨，终于读完了那本书。",
  ],
  ko: [
    "매일 저녁 일곱 시에 피아노 치시는 분, 계속해 주세요.",
    "하루 종일 비가 왔고, 책 한 권을 다 읽었다.",
  ],
};

/** What one person still has to say: everybody begins at another place, so that few say the same. */
export type TextPosts = {
  lines: string[];
  own: Partial<Record<Language, string[]>>;
  stories: string[];
};

/** From one note of a person to the next; shares no factor with the number of lines or stories. */
const stride = 61;

export function textPostsFor(seed: string, index: number): TextPosts {
  const shared = randomOf(seed, "notes");
  const share = (list: string[]) => {
    const order = shared.shuffled(list);
    return order.map((_, turn) => order[(index + turn * stride) % order.length] as string);
  };
  const languages = Object.entries(own).map(([language, list]) => [language, share(list)]);
  return { lines: share(lines), stories: share(stories), own: Object.fromEntries(languages) };
}

/** The next text post of a person; `notes` loses it. */
export function nextTextPost(notes: TextPosts, language: Language, random: Random): string {
  const [inLanguage, long] = [random.chance(0.45), random.chance(0.06)];
  const mine = inLanguage ? notes.own[language]?.shift() : undefined;
  return (
    mine ?? (long ? notes.stories.shift() : undefined) ?? notes.lines.shift() ?? "Good morning."
  );
}
