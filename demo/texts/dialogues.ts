import type { Language } from "../accounts/names.ts";
import type { Random } from "../random.ts";

/** What one says: the one who begins, or the one who answers; `photo` shows what they saw. */
type Line = { begins: boolean; text: string; photo?: true };
export type Dialogue = Line[];

/** A talk line by line: `>` begins, `<` answers, `*` after it comes with a photo. */
const dialogue = (script: string): Dialogue =>
  script
    .trim()
    .split("\n")
    .map((line) => {
      const [, side = ">", star = "", text = ""] = /^\s*([<>])(\*?)\s?(.*)$/u.exec(line) ?? [];
      return { begins: side === ">", text, ...(star ? { photo: true as const } : {}) };
    });

const dialogues: Dialogue[] = [
  `> Are you going to the market on Saturday?
   < Yes, early. Before the heat.
   > Save me two of the round loaves?
   < If he has any left. He hides them for his cousin.
   > Tell him I said hello, that worked last time.`,
  `> I think I left my scarf at yours
   < Green?
   > Grey. The long one.
   < On the hook by the door, waiting for you
   > Thank you. I come by tomorrow.
   < Come hungry, there is soup.`,
  `> There was a basket of pears on my doorstep
   < Who did that?!
   > No idea. No note, nothing.
   < I had a basket too, last week. I thought it was you.
   > I thought it was YOU.`,
  `> How was the concert?
   < Long. Lovely. The second cello fell asleep, I swear.
   > 😂
   < I will take you along next time, you can keep her company.`,
  `> Do you still have the ladder?
   < In the shed, behind the bicycles
   > Can I take it on Thursday?
   < Take it, keep it, I never want to climb it again`,
  `> Your photo from yesterday! Which lens was that?
   < Just the phone, held very still
   > No.
   < Yes. And a wall to lean on.
   > I am selling everything I own.`,
  `> Train is late, twenty minutes they say
   < Which means forty
   > Start without me
   < Never. We have bread.`,
  `>* The view from here right now
   < Stop it, I am in a meeting
   > 😇`,
  `> What was the name of that book?
   < The one with the lighthouse?
   > No, the sad one.
   < They are all sad. The one with the lighthouse is the least sad.
   > Then that one.`,
  `> Happy birthday! 🎂
   < Thank you!! You remembered
   > You told me eleven times
   < Twelve, but who counts.`,
  `> Could you feed the cat from Friday to Monday?
   < Of course. Same key?
   > Same key, same cat, new bowl. He is proud of it.
   < He ate. He also sat on my newspaper.
   > That is how he says thank you.`,
  `> Did you hear, they want to cut the old plane tree
   < The one by the school?
   > Yes. There is a meeting on Tuesday at seven.
   < I am there. I bring my mother, she shouts well.`,
  `> I made far too much jam
   < That is not a thing
   > Eleven jars.
   < I take three. Four.`,
  `> Shall we walk on Sunday?
   < If it does not rain
   > It will not
   < You said that the last time
   > And were you not happy, in the end, under that roof?
   < I was, a little.`,
  `> My tomatoes look strange. Is this normal?
   < What colour are they?
   > Yellow, and rather square
   < They are peppers.
   > …
   < Happens to the best of us`,
  `> Thank you for yesterday. I needed that.
   < Any time. I mean it.
   > I know.`,
  `> Are you awake?
   < I am now
   > There is a fox in the yard
   < Again? Say hello from me
   > Done. It bowed.`,
  `> Which bus goes to the sea, the 14 or the 41?
   < 41. The 14 goes to the cemetery. Also nice, but.
   > Good that I asked.`,
  `> We need one more for the choir, low voice
   < I sing like a door
   > A low door?
   < A low door, yes.
   > Wednesday at eight, then.`,
  `> Can you send me the recipe for the lemon thing?
   < 3 lemons, 200 g sugar, 4 eggs, 120 g butter. Slowly, and do not look away.
   > I looked away.
   < Then it is scrambled eggs with lemon. Also a dish.`,
  `> Is your bicycle the blue one with the bell?
   < Yes!! Where is it??
   > By the river, leaning on the third bench, quite content
   < I have been looking since Monday! I am coming. Do not let it leave.`,
  `> I got the job!!
   < !!!!
   < I knew it
   > You did not
   < I hoped it very loudly. Celebrate tonight?
   > At seven, the usual place.`,
  `> Sorry, I cannot come today. Fever.
   < Oh no. Do you need anything?
   > Sleep. And maybe those biscuits.
   < Biscuits on your doorstep in an hour. Do not open, just listen for the steps.`,
  `> What time is it where you are?
   < Far too early. But the light is good.
   >* Here it rains since the morning
   <* And here
   > I take yours.`,
  `>* Good morning from here
   < Is that today? I am jealous
   > Ten minutes ago. Come.`,
  `> Show me what you took on Sunday?
   <* This is the one I like best
   > Oh. Print it large.
   < How large?
   > Larger.`,
  `>* I tried what you told me
   < And? Happy?
   > You were right, I wait now before I press
   <* Then here is one of mine from the same week`,
  `> Choosing for the exhibition. This one, or the other you know?
   >* I cannot look at it any more
   < This one. No doubt.
   > Thank you. I will sleep tonight.`,
  `> Did you water the plants?
   < I did
   > All of them?
   < Define all`,
  `> The exhibition opens on Friday. You come, yes?
   < Is yours in the front room?
   > By the window, they say. I am so nervous.
   < I will stand before it all evening and nod.`,
  `> Found this and thought of you
   >* No words needed
   < I laughed so loud that the neighbour knocked`,
  `> Do you know somebody who repairs radios?
   < Old ones? The man above the pharmacy
   > The one with the birds?
   < That one. Bring seeds and he does it for free.`,
].map(dialogue);

/** Among people who share more than English. */
const own: Partial<Record<Language, string[]>> = {
  es: [
    `> ¿Vienes mañana a cenar?
     < Claro. ¿Llevo algo?
     > Solo hambre y buenas historias.
     < De las dos cosas tengo.`,
  ],
  fr: [
    `> Tu es passée devant la boulangerie ce matin ?
     < Oui, fermée jusqu'à mardi.
     > Quelle catastrophe.
     < Courage. J'ai une demi-baguette d'hier.`,
  ],
  de: [
    `> Hast du morgen Zeit für einen Kaffee?
     < Ab drei gern. Bei dir oder bei mir?
     > Bei dir, deine Tassen sind schöner.
     < Das höre ich oft.`,
  ],
  pt: [
    `> Vais ao mercado no sábado?
     < Vou, bem cedo. Queres alguma coisa?
     > Um molho de coentros e duas novidades.
     < Os coentros garanto.`,
    `>* Olha a luz de hoje!
     < Que maravilha. Estás no miradouro?
     > Estou. Desce daí e vem.`,
  ],
  it: [
    `> Domenica pranzo da noi?
     < Volentieri! Porto il dolce?
     > Porta il dolce e tua sorella.`,
  ],
  tr: [
    `> Akşam çaya geliyor musun?
     < Geliyorum, simit de alırım.
     > Seni bu yüzden seviyoruz.`,
  ],
  ru: [
    `> Ты дома вечером?
     < Дома. Заходи, есть пирог.
     > С яблоками?
     < С яблоками.
     > Уже иду.`,
  ],
  el: [
    `> Πάμε για μπάνιο αύριο;
     < Αν δεν φυσάει, ναι.
     > Θα φυσάει. Πάμε όμως.`,
  ],
  ar: [
    `> هل تأتي غدًا إلى العشاء؟
     < بكل سرور. ماذا أحضر؟
     > أحضر نفسك وضحكتك.
     < هذه دائمًا معي.`,
  ],
  he: [
    `> יש לך סולם להשאיל?
     < יש. גבוה או מאוד גבוה?
     > מאוד גבוה. אל תשאל.`,
  ],
  hi: [
    `> शाम को चाय पर आओगी?
     < ज़रूर। पकौड़े होंगे?
     > बारिश हुई तो होंगे।`,
  ],
  ja: [
    `> 週末、海に行きませんか。
     < いいですね。おにぎり作ります。
     > じゃあ、お茶は私が。`,
  ],
  zh: [
    `> 周末一起去爬山吗？
     < 好啊，几点出发？
     > 六点，太阳刚出来。
     < 太早了……好吧。`,
  ],
  ko: [
    `> 내일 시간 있어요?
     < 네, 저녁에 괜찮아요.
     > 그럼 시장 앞에서 만나요.`,
  ],
};

/**
 * What two people talk of, in an order of their own: no pair says the same twice, and neighbours in
 * the list of pairs do not begin alike.
 */
export function dialoguesOf(languages: readonly [Language, Language], random: Random): Dialogue[] {
  const [one, two] = languages;
  const shared = one === two ? (own[one] ?? []) : [];
  return [...random.shuffled(shared.map(dialogue)), ...random.shuffled(dialogues)];
}
