/**
 * Every limit people can run into, in one place for both sides.
 * Lengths are counted as people count them: in graphemes (see countGraphemes).
 */
export const limits = {
  caption: 2200,
  comment: 1000,
  /** for how long after it was written a comment can be edited, minutes */
  commentEditMinutes: 15,
  message: 4000,
  bio: 500,
  name: 50,
  altText: 1000,
  /** of one post, that wait for its author */
  altSuggestionsPerPost: 20,
  username: { min: 3, max: 30, daysBetweenChanges: 30 },
  /** bytes of a website's address */
  website: 2000,
  password: { min: 8, max: 128 },
  /** of one account */
  passkeys: 20,
  /** words and phrases that one member muted; the table of them says so, too */
  mutedWords: 100,
  /** of one of them; bytes of UTF-8 */
  mutedWord: { graphemes: 60, bytes: 480 },
  picturesPerPost: 10,
  /** what a post said before its edits: the newest, and so many bytes of them together */
  earlierVersions: { most: 20, bytes: 256 * 1024 },
  /** bytes of one uploaded picture */
  imageBytes: 25 * 1024 * 1024,
  /** width × height of one uploaded picture */
  imagePixels: 50_000_000,
  /** animated pictures beyond these are shown still */
  moving: {
    frames: 1000,
    /** with more it is refused: a decoder keeps something of each */
    mostFrames: 30_000,
    /** width × height × frames, as sent: decoded they take four bytes each */
    sourcePixels: 40_000_000,
    /** the same, as served; what encoding costs */
    pixels: 24_000_000,
    /** pixels */
    width: 640,
    /** of processor time */
    seconds: 15,
    bytes: 6 * 1024 * 1024,
  },
  /** what the decoder may take for one picture, and what is counted before it begins */
  decoding: {
    /** of processor time; a picture of 50 megapixels takes 1 to 4, as HEIC some 15 */
    processorSeconds: 30,
    /** bytes of memory; a plain AVIF of 50 megapixels takes 1 GB */
    memory: 1536 * 1024 * 1024,
    /** scans of a JPEG; ordinary progressive ones have about 10 */
    jpegScans: 30,
    /** width × height of all tiles that an AVIF or a HEIC is put together from; a tile may be named twice */
    tilePixels: 200_000_000,
  },
  /** days between asking for an account's deletion and the deletion */
  deletionDays: 7,
  archive: {
    /** days a finished export can be fetched */
    keptDays: 7,
    exportsADay: 3,
    importsADay: 5,
    /** bytes of an archive that somebody brings along */
    bytes: 4 * 1024 * 1024 * 1024,
    /** files in it */
    entries: 200_000,
    /** posts in it */
    posts: 200_000,
    /** messages in it */
    messages: 1_000_000,
  },
  uploads: {
    /** files that may be on their way at the same time: of one account or visitor's network, of all */
    atOnce: {
      pictures: { ofOne: 12, ofAll: 100 },
      archives: { ofOne: 1, ofAll: 4 },
    },
    /** of one member that are no picture yet, and their bytes */
    unfinished: { ofOne: 20, bytes: 256 * 1024 * 1024 },
    /** requests in which one may come, where each becomes an object in a bucket */
    parts: 500,
    /** hours that an unfinished one waits for more */
    unfinishedHours: 24,
    /** days that a picture which came so, and is not used yet, is kept for a draft */
    draftDays: 7,
    /** bytes of the disk that no upload takes: a full disk stops the database */
    keptFree: 512 * 1024 * 1024,
  },
  /** room for a member's pictures, bytes of their originals, where the operator sets nothing else */
  storage: {
    perMember: 10_000_000_000,
    /** the least that can be set for everybody */
    least: 100_000_000,
  },
  /**
   * what one member writes within an hour; newcomers are younger than a day or, where letters leave
   * the server, did not confirm their email
   */
  writes: {
    posts: { perHour: 100, newcomer: 30 },
    /** of posts that are out */
    edits: { perHour: 200, newcomer: 60 },
    comments: { perHour: 200, newcomer: 60 },
    /** people named in posts and comments */
    mentions: { perHour: 200, newcomer: 60 },
    /** descriptions of other people's photos */
    suggestions: { perHour: 60, newcomer: 10 },
    follows: { perHour: 300, newcomer: 100 },
    messages: { perHour: 1000, newcomer: 200 },
    uploads: { perHour: 300, newcomer: 40 },
    reports: { perHour: 30, newcomer: 10 },
  },
  /** of sign-up, made by the operator: for how long they are good, days */
  invitations: { days: 14, mostDays: 365, mostAtOnce: 100 },
  /** pictures that one member sent and has not used */
  unclaimedPictures: 40,
  feedPage: 20,
  /** posts in a document of the home page */
  homePage: 10,
  /** new posts of the home feed are counted to here */
  newerPosts: 99,
  gridPage: 24,
  /** to which saved posts are counted: the tabs say 99+ */
  savedCount: 100,
  accountsPage: 30,
  commentsPage: 30,
  /** answers that stand under a comment until more are asked for */
  repliesShown: 2,
  /** of how many comments one answer says that they are there still */
  standingComments: 1000,
  messagesPage: 40,
  importedMessagesPage: 100,
  /** unread messages of a chat are counted to here */
  unreadMessages: 99,
  /** posts whose news one stream follows; a browser names those shown last */
  watchedPosts: 20,
  suggestions: 12,
  /** recent photos of everybody */
  explore: {
    /** the newest of one account, and no others of theirs: migration 0052 says so, too */
    perAccount: 6,
    /** before its photos are shown there, an account is so old, hours */
    accountHours: 24,
    /** entries one page looks at, however many of them are not to be shown */
    lookedAt: 600,
    /** on the front page */
    doorPhotos: 23,
  },
  /** of them before one searches */
  exploredPeople: 4,
  /** photos that show what somebody posts */
  suggestedPhotos: 3,
  /** whom one member dismissed from the suggestions: the newest are kept */
  dismissedSuggestions: 500,
  /** of those a member follows, the newest are asked whom they follow in turn */
  knownFollowers: 50,
  tags: {
    /** of one post that are found by it; the rest are links all the same */
    perPost: 30,
    /** characters of one, and its UTF-16 code units */
    graphemes: 100,
    codeUnits: 400,
    /** posts of a tag that are looked through for a page of those the reader may see */
    lookedThrough: 500,
    /** tags that begin with what was typed: looked at, and shown; their posts are counted to here */
    candidates: 20,
    shown: 8,
    counted: 99,
  },
  /** people offered while one writes a name, and the newest follows that are looked through for them */
  offeredPeople: { shown: 8, followed: 500 },
  notifications: {
    page: 20,
    /** unread ones are counted to here */
    unread: 99,
    /** days that what was read is kept */
    daysKept: 90,
    /** different people one text can mention */
    mentions: 20,
    /** browsers of one member that are pushed to, and as many apps */
    pushSubscriptions: 20,
  },
  /** what is kept of sign-ins and changes of how an account is entered */
  activity: {
    page: 20,
    daysKept: 90,
    /** beyond so many in a day, each kind has one row more */
    rowsADay: 100,
  },
  searchCandidates: 300,
  /** as many of a sixty-fourth of all accounts are candidates enough */
  searchSampled: 60,
  /** how long one's own new post can stand on top of the home page, hours */
  justPostedHours: 24,
  /** how long a client's Idempotency-Key is remembered, hours */
  idempotencyKeyHours: 24,
  emailSearch: {
    /** characters of a query from which on it is compared with emails */
    from: 4,
    /** different queries and emails in addresses in an hour, of one member or one visitor's network */
    queriesPerHour: 30,
  },
  /** the documents of the documented calls */
  documents: {
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
  },
} as const;
