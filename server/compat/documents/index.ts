import type { Config } from "#server/config.ts";
import { createChanges } from "#server/compat/documents/changes.ts";
import { createConversations } from "#server/compat/documents/conversations.ts";
import { createDocuments } from "#server/compat/documents/documents.ts";
import { imageAddresses } from "#server/compat/documents/shape.ts";
import { createCommentThreads } from "#server/compat/documents/threads.ts";

type ChangeDeps = Parameters<typeof createChanges>[0];

type Deps = Omit<ChangeDeps, "documents" | "imageIdAt"> &
  Pick<Parameters<typeof createCommentThreads>[0], "comments"> &
  Pick<Parameters<typeof createConversations>[0], "chat"> &
  Pick<Parameters<typeof imageAddresses>[0], "imagePasses"> & {
    config: Pick<Config, "publicUrl"> & Partial<Pick<Config, "imageBaseUrl">>;
    visitorUploads: { resolveAddress: ChangeDeps["imageIdAt"] };
  };

/** The whole-array calls of the specification. */
export function createCompat(deps: Deps) {
  const { db, comments, chat, config, visitorUploads, imagePasses } = deps;
  const { publicUrl, imageBaseUrl } = config;
  const imagesUrl = imageBaseUrl ?? publicUrl;
  const addressesFor = imageAddresses({ publicUrl, imagesUrl, imagePasses });
  const documents = createDocuments({ db, addressesFor });
  return {
    documents,
    changes: createChanges({ ...deps, documents, imageIdAt: visitorUploads.resolveAddress }),
    threads: createCommentThreads({ db, comments, addressesFor }),
    conversations: createConversations({ db, chat }),
  };
}
