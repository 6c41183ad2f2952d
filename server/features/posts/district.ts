import { join } from "node:path";
import type { Logger } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Publish } from "#server/features/change-hint.ts";
import type { NewId } from "#server/platform/db/ids.ts";
import type { createAttemptLimits, Storage, WriteRates } from "#server/features/limits/index.ts";
import type { OperatorSettings } from "#server/features/operator/index.ts";
import { createAlbumMembers } from "#server/features/posts/albums/album-members.ts";
import { createAlbums } from "#server/features/posts/albums/albums.ts";
import { createAltSuggestions } from "#server/features/posts/alt-suggestions/alt-suggestions.ts";
import { createBookmarks } from "#server/features/posts/bookmarks/bookmarks.ts";
import { createCollections } from "#server/features/posts/collections/collections.ts";
import { createCommentLikes } from "#server/features/posts/comments/comment-likes.ts";
import { createComments } from "#server/features/posts/comments/comments.ts";
import { createExplore } from "#server/features/posts/explore/explore.ts";
import { createFeed } from "#server/features/posts/feed/feed.ts";
import { createHomeLists } from "#server/features/posts/feed/home-lists.ts";
import { createBackgroundAvif } from "#server/features/posts/images/background-avif.ts";
import { createImages, type Images } from "#server/features/posts/images/images.ts";
import { createImagePasses } from "#server/features/posts/images/image-pass.ts";
import { createLargeImages } from "#server/features/posts/images/large-images.ts";
import { createNewKeys } from "#server/features/posts/images/new-keys.ts";
import { createVisitorUploads } from "#server/features/posts/images/visitor-uploads.ts";
import { createLikes } from "#server/features/posts/likes/likes.ts";
import { narrowPostsPossible } from "#server/features/people/index.ts";
import { createPosts } from "#server/features/posts/posts.ts";
import { createReferences } from "#server/features/posts/references/references.ts";
import { createSuggestions } from "#server/features/posts/suggestions/suggestions.ts";
import { createTags } from "#server/features/posts/tags/tags.ts";
import { createResumableUploads } from "#server/features/posts/uploads/resumable-uploads.ts";
import type { AskingAccount, Notifier } from "#server/features/types.ts";
import type { Jobs } from "#server/platform/jobs.ts";

type Deps = {
  db: Database;
  /** may be read as of some seconds ago */
  lagging: Database;
  log: Logger;
  config: Pick<Config, "publicUrl" | "origins" | "dataDir"> &
    Partial<Pick<Config, "imageBaseUrl" | "imageStore" | "imageStoreFrom">>;
  secret: string;
  store: ImageStore;
  files: PrivateFiles;
  jobs: Jobs;
  publish: Publish;
  newId: NewId;
  operatorSettings: OperatorSettings;
  limits: Pick<ReturnType<typeof createAttemptLimits>, "count">;
  storage: Storage;
  writes: WriteRates;
  notifications: Notifier;
  /** how the account that asks for an image is looked up */
  kinds: readonly AskingAccount[];
};

/** Everything in this district. */
export function createPostsDistrict(deps: Deps) {
  const imageFeatures = createImageFeatures(deps);
  return { ...imageFeatures, ...createPostFeatures(deps, imageFeatures.images) };
}

function createImageFeatures(deps: Deps) {
  const { db, log, store, jobs, config, storage, writes } = deps;
  const { dataDir, publicUrl } = config;
  const { count } = deps.limits;
  const tmp = join(dataDir, "tmp");
  const avif = createBackgroundAvif({ db, store, jobs, dataDir, log });
  const images = createImages({
    db,
    store,
    log,
    countFailure: (accountId) => count("picture-failures", accountId),
    writes,
    storage,
    onClaim: avif.begin,
    onNarrowed: createNewKeys({ db, store, jobs, dataDir, log }).begin,
    kinds: deps.kinds,
  });
  return {
    images,
    imagePasses: createImagePasses(deps),
    largeImages: createLargeImages({
      db,
      store,
      log,
      dataDir,
      count: (sender) => count("large-pictures", sender),
    }),
    visitorUploads: createVisitorUploads({
      ...deps,
      images,
      origins: config.origins,
      publicUrl,
      imagesUrl: config.imageBaseUrl ?? publicUrl,
      countUpload: (network) => count("visitor-uploads", network),
    }),
    resumableUploads: createResumableUploads({
      ...deps,
      images,
      tmp,
      narrow: narrowPostsPossible(config),
    }),
  };
}

function createPostFeatures(given: Deps, images: Images) {
  const { db, log, operatorSettings, lagging } = given;
  const deps = { ...given, db: lagging };
  const homeLists = createHomeLists({ db, log });
  const narrow = narrowPostsPossible(given.config);
  const posts = createPosts({ ...deps, images, narrow, onPosted: () => homeLists.wake() });
  return {
    homeLists,
    posts,
    albums: createAlbums({ ...deps, images, narrow, refAt: posts.refAt, removal: posts }),
    albumMembers: createAlbumMembers(deps),
    references: createReferences({ db }),
    altSuggestions: createAltSuggestions({ ...deps, posts }),
    likes: createLikes(deps),
    comments: createComments(deps),
    commentLikes: createCommentLikes(deps),
    bookmarks: createBookmarks(deps),
    collections: createCollections(deps),
    feed: createFeed({ ...deps, lists: homeLists }),
    explore: createExplore({ ...deps, settings: operatorSettings }),
    suggestions: createSuggestions(deps),
    tags: createTags(deps),
  };
}
