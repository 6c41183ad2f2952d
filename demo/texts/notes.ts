import type { Tongue } from "../people/names.ts";
import type { Random } from "../random.ts";

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
  "Translated a poem today. It took six hours and one word: ‘meanwhile’.",
];

const stories = [
  "This morning the old man from number 9 was standing at the crossing with a wheelbarrow full of books.\n\nI asked where he was taking them. “To the other side,” he said.\n\nIt turned out that there is a shelf there now, in the old telephone box. Take one, leave one. I took a novel with no last page. I have been inventing endings all day.",
  "We rebuilt the wall between our gardens and could not agree on the height. So we built it as high as our children, who were standing there.\n\nEvery spring we shall have to add a row. That is the plan.",
  "Notes from a week without a telephone:\n\nMonday: I reach for it forty times.\nTuesday: thirty.\nWednesday: somebody asks me the way and I draw a map.\nThursday: I hear the clock in the hall. It has been there since 1980.\nFriday: I read a whole book.\nSaturday: nothing happens, all day long, beautifully.\nSunday: I write this on paper first.",
  "The recipe that several of you asked for.\n\nFlour, as much as fits in two hands held together. Water, as warm as a hand. Salt: a pinch more than you dare. Old dough from a friend (ask me). Wait until you have forgotten it. Fold it like a letter. Wait again. Hot oven, dark crust.\n\nThat is all. The rest is weather.",
  "I drove the night tram for the last time yesterday. Thirty-one years.\n\nAt the terminus somebody had hung a paper chain across the doors, and inside sat nineteen people who had nowhere to go at that hour. They had just come to ride along.\n\nWe did the whole line once more without stopping. I have never been so late, and nobody looked at the clock.",
];

const own: Partial<Record<Tongue, string[]>> = {
  es: ["¿Alguien sabe quién toca la guitarra los jueves en la plaza? Quiero darle las gracias.", "He cambiado los muebles de sitio y ahora la casa tiene otra conversación.", "Hoy he aprendido que el pan también necesita silencio."],
  fr: ["Cherche quelqu'un pour parler de rien, au café du port, vers cinq heures.", "J'ai retrouvé une lettre de mon grand-père. Il y parle surtout du vent.", "La pluie a tout annulé, et c'était très bien ainsi."],
  de: ["Wer hat die Bank am Fluss repariert? Sie ist wunderbar geworden. Danke.", "Heute nichts geschafft und sehr zufrieden damit.", "Suche Mitspieler für Skat, gern auch schlechte. Ich bin es auch."],
  pt: ["Alguém viu um guarda-chuva amarelo? Tem histórias.", "Aprendi hoje: a sopa não tem pressa."],
  it: ["Chi suona il clarinetto alle sette di sera? Non smetta.", "Oggi ho camminato senza meta e sono arrivata."],
  tr: ["Komşum her akşam aynı şarkıyı çalıyor, bugün ben de eşlik ettim.", "Çay hazır, kapı açık."],
  ru: ["Кто оставил корзину яблок у каждой двери? Спасибо вам, незнакомец.", "Сегодня весь день шёл дождь, и я наконец дочитал книгу.", "Ищу партнёра по шахматам. Играю плохо, но с удовольствием."],
  el: ["Ποιος παίζει κιθάρα τα βράδια; Μη σταματάς.", "Σήμερα δεν έκανα τίποτα, και το έκανα καλά."],
  ar: ["من وضع سلّة التين أمام كل باب في الحارة؟ شكرًا لك أيًّا كنت.", "تعلّمت اليوم أن الخبز يحتاج إلى الصبر أكثر من الطحين.", "أبحث عن شريك للشطرنج، مستواي متواضع ونيّتي طيّبة."],
  he: ["מישהו יודע מי מנגן בצ׳לו בקומה השנייה? אל תפסיקו.", "היום לא עשיתי כלום, ועשיתי את זה היטב."],
  hi: ["गली में हर दरवाज़े पर आमों की टोकरी किसने रखी? बहुत धन्यवाद।", "आज सारा दिन बारिश हुई और किताब पूरी हो गई।"],
  ja: ["毎晩七時にトランペットを練習しているお隣さん、今日はじめて曲がわかりました。", "雨の音を聞きながら本を読む。それだけの一日。", "商店街の時計が直りました。ちょっと寂しい。"],
  zh: ["今天把钢琴往左挪了一米，房间就不一样了。", "谁在每家门口放了一篮梨？谢谢你，好心人。", "下了一整天的雨，终于读完了那本书。"],
  ko: ["매일 저녁 일곱 시에 피아노 치시는 분, 계속해 주세요.", "하루 종일 비가 왔고, 책 한 권을 다 읽었다."],
};

/** A text post. `turn` counts the author's own, so that nobody repeats themselves. */
export function noteOf(seed: readonly number[], turn: number, tongue: Tongue, random: Random): string {
  const mine = own[tongue];
  if (mine && random.chance(0.35)) return mine[turn % mine.length] as string;
  if (random.chance(0.12)) return stories[(seed[0] ?? 0) % stories.length] as string;
  return lines[(seed[turn % seed.length] ?? 0) % lines.length] as string;
}

export const NOTES = lines.length;
