/**
 * Every limit people can run into, in one place for both sides.
 * Lengths are counted as people count them: in graphemes (see countGraphemes).
 */

/** of a request */
export const address = {
  /** of its path; that of a hashtag takes 3.6 kB, encoded */
  pathBytes: 4096,
  /** of its path; ours have eight at most */
  segments: 16,
  /** paths whose routes a page's script asks for at once: those of its links, and their ancestors */
  discovered: 200,
} as const;
export const caption = 2200;
export const comment = 1000;
/** for how long after it was written a comment can be edited, minutes */
export const commentEditMinutes = 15;
export const message = 4000;
export const bio = 500;
export const name = 50;
/** of the name, and of the value, of a field beside the bio; bytes of UTF-8. The database limits their number, too */
export const extraField = { graphemes: 255, bytes: 8000 } as const;
export const altText = 1000;
/** a post's content warning; bytes of UTF-8. The database limits their number, too */
export const warning = { graphemes: 200, bytes: 3200 } as const;
/** of one post, that wait for its author */
export const altSuggestionsPerPost = 20;
export const username = { min: 3, max: 30, daysBetweenChanges: 30 } as const;
/** bytes of a website's address */
export const website = 2000;
export const password = { min: 8, max: 128 } as const;
/** of one account */
export const passkeys = 20;
/** of one account */
export const closeFriends = 500;
/** about somebody, for oneself; the database limits its bytes, too */
export const note = { graphemes: 2000, bytes: 16_000 } as const;
/** of one account */
export const notes = 1000;
/** the longest mute of somebody that ends by itself */
export const muteSeconds = 366 * 24 * 60 * 60;
/** words and phrases that one member muted; the database limits them, too */
export const mutedWords = 100;
/** of one of them; bytes of UTF-8 */
export const mutedWord = { graphemes: 60, bytes: 480 } as const;
/** of a group of them, which apps make; there are as many groups as words */
export const wordFilterTitle = { graphemes: 255, bytes: 2000 } as const;
export const photosPerPost = 10;
// Read from one another's fields, this file would be in pages that need no more of it than plain numbers.
const ofTitle = { graphemes: 100, bytes: 1600 } as const;
const albumItems = 1000;
export const albums = {
  /** of one account; items and members of one */
  ofOne: 100,
  items: albumItems,
  members: 200,
  /** bytes of UTF-8; the database limits their number, too */
  title: ofTitle,
  description: { graphemes: 2000, bytes: 16_000 },
  /** that one list shows */
  page: 20,
  photosPage: 60,
  /** after its latest photo, until another batch of the same member may begin; and when to ask for it again */
  batchSeconds: 120,
  batchRetrySeconds: 10,
  /** photos that can be chosen in one go */
  atOnce: 200,
  /** contributors that its page shows */
  faces: 10,
} as const;
/** collections of saved posts */
export const collections = {
  /** of one account; posts in one */
  ofOne: 100,
  posts: 10_000,
  /** bytes of UTF-8; the database limits their number, too */
  title: ofTitle,
  /** posts that one call puts in, or takes out */
  atOnce: 100,
  /** of its newest posts, among which the photo that stands for it is looked for */
  coverAmong: 20,
} as const;
/** earlier versions of a post: the newest, and so many bytes of them together */
export const earlierVersions = { most: 20, bytes: 256 * 1024 } as const;
/** bytes of one uploaded image */
export const imageBytes = 25 * 1024 * 1024;
/** width × height of one uploaded image */
export const imagePixels = 50_000_000;
/** animated images beyond these are shown still */
export const moving = {
  frames: 1000,
  /** with more it is refused: a decoder stores something of each */
  mostFrames: 30_000,
  /** width × height × frames, as sent: decoded they take four bytes each */
  sourcePixels: 40_000_000,
  /** the same, as served; limits the cost of encoding */
  pixels: 24_000_000,
  /** pixels */
  width: 640,
  /** of processor time */
  seconds: 15,
  bytes: 6 * 1024 * 1024,
} as const;
/** what the decoder may use for one image, and what is checked before it begins */
export const decoding = {
  /** of processor time; an image of 50 megapixels takes 1 to 4, as HEIC some 15 */
  processorSeconds: 30,
  /** bytes of memory; a plain AVIF of 50 megapixels takes 1 GB */
  memory: 1536 * 1024 * 1024,
  /** scans of a JPEG; ordinary progressive ones have about 10 */
  jpegScans: 30,
  /** width × height of all tiles that an AVIF or a HEIC is composed of; a tile may be named twice */
  tilePixels: 200_000_000,
} as const;
/** days between requesting an account's deletion and the deletion */
export const deletionDays = 7;
/** days that the server's own backups hold what was deleted, at most (server/platform/backup/retention.ts) */
export const backupDays = 28;
export const archive = {
  /** days a finished export can be downloaded */
  retentionDays: 7,
  exportsADay: 3,
  importsADay: 5,
  /** begun on devices, which send no archive */
  deviceImportsADay: 20,
  /** days until an import that no device goes on with ends by itself */
  openDays: 7,
  /** keys of posts that are looked up at once */
  keysAtOnce: 1000,
  /** bytes of an imported archive */
  bytes: 4 * 1024 * 1024 * 1024,
  /** files in it */
  entries: 200_000,
  /** posts in it */
  posts: 200_000,
  /** posts in an export of another service */
  exportedPosts: 20_000,
  /** photos of a folder, one post each */
  exportedPhotos: 2000,
  /** sentences that are kept about what was left out */
  leftOut: 500,
  /** days within which an import can be undone */
  undoDays: 30,
  /** of its posts, that are shown in feeds where its importer chose that */
  newestShown: 10,
  /** messages in it */
  messages: 1_000_000,
  /** albums in it: those that an account has no room for are left out one by one */
  albums: 1000,
} as const;
export const uploads = {
  /** uploads that may run at the same time: of one account or visitor's network, of all */
  atOnce: {
    pictures: { ofOne: 12, ofAll: 100 },
    archives: { ofOne: 1, ofAll: 4 },
  },
  /** unfinished uploads of one member, and their bytes */
  unfinished: { ofOne: 20, bytes: 256 * 1024 * 1024 },
  /** requests in which one may be sent, where each becomes an object in a bucket */
  parts: 500,
  /** hours that an unfinished one is stored */
  unfinishedHours: 24,
  /** days that an uploaded image that is not used yet is stored for a draft */
  draftDays: 7,
  /** bytes of the disk that no upload may use: a full disk stops the database */
  reserve: 512 * 1024 * 1024,
} as const;
/** storage for a member's images, bytes of their originals, where the operator sets nothing else */
export const storage = {
  perMember: 10_000_000_000,
  /** the least that can be set for everybody */
  least: 100_000_000,
  /** accounts that joined within so many days take this share of the disk at most, all together */
  newcomers: { days: 7, share: 0.5 },
} as const;
/**
 * what one member writes within an hour, or a day; newcomers are younger than a day or, where the server sends mail
 * itself, did not confirm their email
 */
export const writes = {
  posts: { perHour: 100, newcomer: 30 },
  /** edits of published posts */
  edits: { perHour: 200, newcomer: 60 },
  comments: { perHour: 200, newcomer: 60 },
  /** accounts mentioned in posts and comments */
  mentions: { perHour: 200, newcomer: 60 },
  /** descriptions of other people's photos */
  suggestions: { perHour: 60, newcomer: 10 },
  follows: { perHour: 300, newcomer: 100 },
  messages: { perHour: 1000, newcomer: 200 },
  uploads: { perHour: 300, newcomer: 40 },
  /** uploads for albums, at once if need be, and fewer than the hourly ones of a day: 200 twice for newcomers */
  albumUploads: { perDay: 2000, newcomer: 400 },
  /** photos for imports, of newcomers as well: years of them come on the first day, within the storage of the account */
  importUploads: { perDay: 5000, newcomer: 5000 },
  /** what we fetched for them where an export has only addresses */
  fetchedMegabytes: { perDay: 2000, newcomer: 2000 },
  /** posts that imports made, one by one */
  importedPosts: { perDay: 20_000, newcomer: 20_000 },
  reports: { perHour: 30, newcomer: 10 },
  links: { perHour: 30, newcomer: 10 },
} as const;
/** links that show posts to guests without an account */
export const sharedLinks = {
  /** that open, of one account */
  most: 100,
  /** until one's own last day */
  mostDays: 3653,
  /** characters */
  password: { least: 6, most: 128 },
  /** posts on a page of one */
  page: 12,
  /** photos in a zip, from the top of its page: a whole album has as many */
  zipPhotos: albumItems,
  /** zips at the same time: of one link for one network, of all of a process; and the time for one */
  zips: { ofOne: 1, ofAll: 4, minutes: 15 },
  /** pixels of a preview in a messenger, at most */
  previewWidth: 1280,
} as const;
/** invitations to sign up, by the operator: days until they expire */
export const invitations = { days: 14, mostDays: 365, mostAtOnce: 100 } as const;
/** uploaded images of one member that are not used */
export const unclaimedImages = 40;
export const feedPage = 20;
/** posts in a document of the home page */
export const homePage = 10;
/** new posts of the home feed are counted up to this */
export const newerPosts = 99;
export const gridPage = 24;
/** bookmarks are counted up to this: the tabs say 99+ */
export const countedBookmarks = 100;
export const accountsPage = 30;
export const commentsPage = 30;
/** replies that are shown under a comment until more are requested */
export const repliesShown = 2;
/** of how many comments one answer says that they still exist */
export const standingComments = 1000;
export const messagesPage = 40;
export const importedMessagesPage = 100;
/** unread messages of a conversation are counted up to this */
export const unreadMessages = 99;
/** posts whose changes one stream follows; a browser names those shown last */
export const watchedPosts = 20;
export const suggestions = 12;
/** recent photos of everybody */
export const explore = {
  /** the newest of one account, and no others of theirs: migration 0052 says so, too */
  perAccount: 6,
  /** hours that an account must be old before its photos are shown there */
  accountHours: 24,
  /** entries that one page checks, however many of them are not to be shown */
  lookedAt: 600,
  /** on the landing page */
  landingPhotos: 23,
} as const;
/** of suggested accounts, before one searches */
export const exploredAccounts = 8;
/** photos that show what an account posts */
export const suggestedPhotos = 3;
/** accounts that one member dismissed from the suggestions: the newest are stored */
export const dismissedSuggestions = 500;
/** accounts followed on another service that are looked for here */
export const elsewhere = {
  /** of one export, as many as Instagram lets anybody follow; of one call */
  followed: 7500,
  atOnce: 1000,
  /** characters of the name or address of one */
  address: 300,
  /** accounts here that answer to one name: anybody can write it into a profile; as many more whose page leads back */
  perName: 3,
} as const;
/** of those a member follows, the follows of the newest are considered */
export const knownFollowers = 50;
/** of those a member follows, so many at a time are checked for following back, until a page is full */
export const connectionsAtOnce = 300;
/** characters of one tag, and its UTF-16 code units; plain numbers, which stand in the code of every page with words */
export const tagGraphemes = 100;
export const tagCodeUnits = 400;
/** posts of a tag that are counted for whoever chooses one */
export const tagPostsCounted = 99;
export const tags = {
  /** tags of one post that are indexed; the rest are links all the same */
  perPost: 30,
  /** posts of a tag that are checked for a page of those the reader may see */
  lookedThrough: 500,
  /** tags that begin with what was typed: checked, and shown */
  candidates: 20,
  shown: 8,
} as const;
/** accounts suggested while one types a name, and the newest follows that are searched for them */
export const nameCompletions = { shown: 8, followed: 500 } as const;
export const notifications = {
  page: 20,
  /** unread ones are counted up to this */
  unread: 99,
  /** days that read notifications are stored */
  retentionDays: 90,
  /** different accounts one text can mention */
  mentions: 20,
  /** browsers of one member with push, and as many apps */
  pushSubscriptions: 20,
} as const;
/** entries stored about sign-ins and security changes of an account */
export const activity = {
  page: 20,
  retentionDays: 90,
  /** beyond so many in a day, each kind has one row more */
  rowsADay: 100,
} as const;
export const searchCandidates = 300;
/** a sixty-fourth of all accounts gives enough candidates */
export const searchSampled = 60;
/** hours one's own new post can be shown on top of the home page */
export const justPostedHours = 24;
/** hours a client's Idempotency-Key is remembered */
export const idempotencyKeyHours = 24;
export const emailSearch = {
  /** characters of a query from which on it is compared with emails */
  from: 4,
  /** different queries and emails in addresses in an hour, of one member or one visitor's network */
  queriesPerHour: 30,
} as const;
/** the documents of the documented calls */
export const documents = {
  /** one account's: its newest posts, and the newest entries of each list */
  posts: 1000,
  entries: 100,
  /** in the list of all accounts: accounts a page, and of each its newest posts and entries */
  accountsPage: 100,
  listedPosts: 20,
  listedEntries: 20,
  /** newest comments of a post */
  comments: 1000,
  /** bytes of one answer */
  bytes: 4 * 1024 * 1024,
  /** bytes of what is sent back: a whole document and a little more */
  sentBytes: 5 * 1024 * 1024,
  /** entries of one list that is sent back */
  sentEntries: 2000,
  /** changes of one member that wait for the one before them */
  waitingChanges: 30,
} as const;
