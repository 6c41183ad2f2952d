import type { Look } from "./portraits.ts";

/** Languages that accounts of the town write now and then; all of them write English. */
export type Language =
  | "en"
  | "es"
  | "fr"
  | "de"
  | "pt"
  | "it"
  | "tr"
  | "ru"
  | "el"
  | "ar"
  | "he"
  | "hi"
  | "ja"
  | "zh"
  | "ko";

export type Origin = {
  language: Language;
  zone: string;
  women: readonly string[];
  men: readonly string[];
  families: readonly string[];
};

const origin = (
  language: Language,
  zone: string,
  women: string,
  men: string,
  families: string,
): Origin => ({
  language,
  zone,
  women: women.split(", "),
  men: men.split(", "),
  families: families.split(", "),
});

/** Given and family names in the script their bearers would write them in. */
export const origins: readonly Origin[] = [
  origin(
    "en",
    "Europe/London",
    "Poppy, Harriet, Maeve, Isla, Nora, Winifred, Edith, Rowan",
    "Callum, Alfie, Desmond, Rory, Hugh, Jasper, Owen, Stanley",
    "Whitlock, O'Connell, Ashdown, Fairweather, Kerr, Llewellyn, Pike, St John-Hale, Marlowe",
  ),
  origin(
    "en",
    "America/Toronto",
    "June, Marguerite, Dakota, Ellen, Beatrice, Naomi",
    "Walter, Theo, Amos, Clyde, Jonah, Emmett",
    "Beaumont, Hartley, Okafor-Reed, McAllister, Lindqvist, Tremblay, Sinclair",
  ),
  origin(
    "es",
    "Europe/Madrid",
    "Lucía, Begoña, Inés, Ximena, María José, Rocío, Itziar",
    "Íñigo, Álvaro, Ramón, José Ángel, Andrés, Joaquín, Nuño",
    "Peñalver, Muñoz, Ibáñez, Núñez de Arce, Zúñiga, Echeverría, Cañizares",
  ),
  origin(
    "pt",
    "America/Sao_Paulo",
    "Conceição, Iara, Júlia, Assunção, Beatriz, Luíza",
    "João, Tomé, Gonçalo, Caetano, Ubiratã, André",
    "Guimarães, Simões, Araújo, Conceição, Magalhães, Brandão, da Conceição Lourenço",
  ),
  origin(
    "fr",
    "Europe/Paris",
    "Zoé, Héloïse, Anaïs, Maëlle, Françoise, Éloïse, Noémie",
    "Loïc, Rémi, Gaëtan, Étienne, Jérôme, François-Xavier, Cédric",
    "Lefèvre, Crépeau, Bérubé, d'Aubigné, Guérin, Château, Le Goff, Besançon",
  ),
  origin(
    "de",
    "Europe/Berlin",
    "Käthe, Frieda, Lotte, Änne, Jördis, Mareike, Grete",
    "Jürgen, Götz, Björn, Till, Matthäus, Sören, Veit",
    "Köhler, Großmann, Schäfer, von Thülen, Weiß, Müller-Lüdenscheidt, Dröge",
  ),
  origin(
    "it",
    "Europe/Rome",
    "Niccolina, Fiorella, Ludovica, Mirella, Ortensia",
    "Niccolò, Ettore, Dante, Corrado, Gaspare, Efisio",
    "Dell'Acqua, Santoro, Niccolosi, Bevilacqua, Quattrocchi, Sanguinetti, Lo Cascio",
  ),
  origin(
    "tr",
    "Europe/Istanbul",
    "Gülşen, Çiğdem, İpek, Ayşe, Şebnem, Özge",
    "Oğuz, Çağrı, Işık, Ümit, Barış, Gökhan",
    "Yıldız, Öztürk, Şahin, Güneş, Karadağ, Çelik, Aydın",
  ),
  origin(
    "en",
    "Europe/Stockholm",
    "Åsa, Freja, Solveig, Signe, Märta, Øydis",
    "Håkon, Åke, Søren, Bjørn, Göran, Jørgen",
    "Lindström, Ødegård, Sjögren, Bjørnstad, Åkesson, Nørgaard",
  ),
  origin(
    "en",
    "Atlantic/Reykjavik",
    "Guðrún, Þórdís, Sæunn, Björk",
    "Þorsteinn, Guðmundur, Sævar, Ægir",
    "Þórðardóttir, Jónsson, Sæmundsdóttir, Guðjónsson",
  ),
  origin(
    "en",
    "Europe/Warsaw",
    "Małgorzata, Świętosława, Zofia, Łucja, Jagoda",
    "Łukasz, Grzegorz, Wojciech, Mieczysław, Bożydar",
    "Wiśniewska, Brzęczyszczykiewicz, Dąbrowski, Łoś, Żółkiewska, Kwiatkowski",
  ),
  origin(
    "en",
    "Europe/Prague",
    "Růžena, Anežka, Zdeňka, Žofie, Eliška",
    "Jiří, Čeněk, Bořivoj, Řehoř, Matěj",
    "Dvořák, Švejda, Kučerová, Říhová, Němec, Hřebíček",
  ),
  origin(
    "en",
    "Europe/Budapest",
    "Gyöngyi, Zsófia, Ágnes, Enikő, Réka",
    "Győző, Lőrinc, Ödön, Zsolt, Béla",
    "Szőke, Kővári, Nagy, Szentgyörgyi, Tündérhegyi",
  ),
  origin(
    "en",
    "Asia/Ho_Chi_Minh",
    "Thị Ngọc Ánh, Mỹ Duyên, Bích Phượng, Hồng Nhung",
    "Đức Thịnh, Văn Dũng, Quốc Khánh, Hữu Phước",
    "Nguyễn, Trần, Đặng, Huỳnh, Phạm, Võ",
  ),
  origin(
    "en",
    "Africa/Lagos",
    "Adébáyọ̀, Ngọzi, Ọláìyá, Chidinma, Títílayọ̀",
    "Olúwáṣeun, Chukwuemeka, Adéwálé, Ìdòwú, Ikẹ́nna",
    "Adéyẹmí, Okonkwo, Ọbasanjọ́, Nwosu, Akínlabí, Ezeigbo",
  ),
  origin(
    "en",
    "Africa/Nairobi",
    "Wanjirũ, Amani, Achieng, Zawadi, Mwende",
    "Baraka, Kamau, Otieno, Juma, Mũthoni",
    "Wa Thiong'o, Odhiambo, Kĩmani, Mwangi, Njoroge",
  ),
  origin(
    "en",
    "Pacific/Auckland",
    "Aroha, Mārama, Hinemoa, Kahurangi, Whetū",
    "Tāne, Rāwiri, Wiremu, Kauri, Māui",
    "Ngāta, Te Kanawa, Parātene, Rēweti, Waititi-Jones",
  ),
  origin(
    "ru",
    "Europe/Moscow",
    "Дарья, Ксения, Людмила, Аглая, Зоя, Полина",
    "Фёдор, Тимофей, Лев, Григорий, Семён, Егор",
    "Соловьёва, Ковалёв, Преображенский, Щербакова, Рябинин, Белых, Черных",
  ),
  origin(
    "en",
    "Europe/Kyiv",
    "Олеся, Соломія, Їванна, Квітка, Мар'яна",
    "Остап, Тарас, Євген, Любомир, Ярема",
    "Шевченко, Коцюбинський, Лисенко, Гончар, Бондаренко",
  ),
  origin(
    "el",
    "Europe/Athens",
    "Ελένη, Καλλιόπη, Δέσποινα, Ευανθία, Ιφιγένεια",
    "Αλέξανδρος, Στέφανος, Θεόδωρος, Λεωνίδας, Ιάσων",
    "Παπαδόπουλος, Καραγιάννη, Μαυρομάτη, Οικονόμου, Ζαχαρίας",
  ),
  origin(
    "ar",
    "Africa/Cairo",
    "ليلى, نور, هالة, مريم, سلمى, ياسمين",
    "يوسف, كريم, إلياس, طارق, عمر, عبد الرحمن",
    "الحدّاد, منصور, القاسم, بن علي, الخطيب, النجّار, أبو زيد",
  ),
  origin(
    "ar",
    "Asia/Beirut",
    "رنا, جمانة, دانة, رؤى",
    "سامر, زياد, مالك, غسان",
    "خوري, الأيوبي, حبيب, العطّار",
  ),
  origin(
    "en",
    "Asia/Tehran",
    "شیرین, پروانه, مهتاب, گلناز",
    "کیوان, آرش, بهروز, پژمان",
    "فرهادی, گیلانی, رستمی, چراغی",
  ),
  origin(
    "he",
    "Asia/Jerusalem",
    "נועה, שירה, תמר, אביגיל, יעל",
    "איתי, נדב, אלון, גיל, עומר",
    "לוי, בן־דוד, שפירא, אברהמי, כהן־צדק",
  ),
  origin(
    "hi",
    "Asia/Kolkata",
    "अनन्या, मीरा, सुनीता, प्रिया, कावेरी",
    "अर्जुन, विवेक, रोहन, सिद्धार्थ, कृष्ण",
    "शर्मा, वर्मा, चतुर्वेदी, श्रीवास्तव, देशपांडे, मिश्र",
  ),
  origin(
    "en",
    "Asia/Kolkata",
    "அமுதா, கயல்விழி, மலர்",
    "செந்தில், முருகன், இளங்கோ",
    "சுப்பிரமணியன், பாண்டியன், கண்ணன்",
  ),
  origin(
    "en",
    "Asia/Dhaka",
    "শ্রাবণী, নীলা, মৌসুমী",
    "অনির্বাণ, সুজয়, তন্ময়",
    "চট্টোপাধ্যায়, রহমান, সেনগুপ্ত",
  ),
  origin(
    "ja",
    "Asia/Tokyo",
    "さくら, 美咲, 葵, 由紀子, 千尋",
    "健太, 翔, 大輔, 一郎, 悠真",
    "佐藤, 小林, 勅使河原, 渡邊, 長谷川, 五十嵐",
  ),
  origin(
    "zh",
    "Asia/Shanghai",
    "婉清, 雪, 晓梅, 若曦, 静怡",
    "浩然, 子轩, 志强, 明, 建国",
    "欧阳, 王, 李, 司马, 诸葛, 陈, 赵",
  ),
  origin("zh", "Asia/Taipei", "淑芬, 雅婷, 怡君", "家豪, 冠宇, 俊傑", "黃, 張簡, 劉, 歐陽"),
  origin(
    "ko",
    "Asia/Seoul",
    "지은, 수빈, 하늘, 은서",
    "민준, 도윤, 현우, 태양",
    "김, 박, 남궁, 황보, 이",
  ),
  origin(
    "en",
    "Asia/Bangkok",
    "พิมพ์ชนก, กานดา, สุดารัตน์",
    "ณัฐพล, ธนากร, วิชัย",
    "ศรีสุวรรณ, จันทร์เพ็ญ, วงศ์ไทย",
  ),
  origin(
    "en",
    "Asia/Tbilisi",
    "ნინო, თამარი, ქეთევან",
    "გიორგი, ლევანი, ზურაბი",
    "ბერიძე, ჯავახიშვილი, წერეთელი",
  ),
  origin(
    "en",
    "Asia/Yerevan",
    "Անահիտ, Նարինե, Լուսինե",
    "Արամ, Հայկ, Տիգրան",
    "Պետրոսյան, Գրիգորյան, Սարգսյան",
  ),
  origin("en", "Africa/Addis_Ababa", "ሰላም, ትዕግስት, ሕይወት", "ዳዊት, አበበ, ሙሉጌታ", "ተስፋዬ, ገብረማርያም, ኃይለሥላሴ"),
];

export type Named = { first: string; second: string; look: Look; origin: number };

/**
 * The accounts in every town, whatever its size: the two to sign in as come first, then names that are hard
 * on screens: very long, one word, none at all, written from right to left.
 */
export const fixedPeople: readonly Named[] = [
  { first: "Marta", second: "Peñalver Ibáñez", look: "woman", origin: 2 },
  { first: "ליאם", second: "בן־דוד", look: "man", origin: 23 },
  { first: "葵", second: "勅使河原", look: "woman", origin: 27 },
  {
    first: "Maximilian Ferdinand Cornelius",
    second: "von Hohenlohe-Schillingsfürst zu Waldburg",
    look: "man",
    origin: 5,
  },
  { first: "ليلى", second: "الحدّاد", look: "woman", origin: 20 },
  { first: "", second: "", look: "man", origin: 0 },
  { first: "अनन्या", second: "चतुर्वेदी", look: "woman", origin: 24 },
  { first: "Ọláìyá", second: "Adéyẹmí", look: "woman", origin: 14 },
  { first: "Фёдор", second: "Преображенский", look: "man", origin: 17 },
  { first: "Bo", second: "", look: "man", origin: 8 },
  {
    first: "Lakshminarasimhavaraprasadarao",
    second: "Venkatasubrahmanyeswaracharyulu",
    look: "man",
    origin: 24,
  },
  { first: "若曦", second: "欧阳", look: "woman", origin: 28 },
];
