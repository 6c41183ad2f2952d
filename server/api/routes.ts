import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { accountCalls } from "#server/api/accounts.ts";
import { addCalls } from "#server/api/calls.ts";
import { chatPhotoRoutes } from "#server/api/chat-photos.ts";
import { addRoutes } from "#server/api/declared-calls.ts";
import { eventRoutes } from "#server/api/events.ts";
import { exploreCalls } from "#server/api/explore.ts";
import { exportRoutes } from "#server/api/exports.ts";
import type { Budget } from "#server/compat/calls/budget.ts";
import { changeCalls } from "#server/compat/calls/changes.ts";
import { threadCalls } from "#server/compat/calls/threads.ts";
import { documentedUserRoutes } from "#server/compat/calls/users.ts";
import { feedCalls } from "#server/api/feed.ts";
import { formCalls } from "#server/api/form-calls.ts";
import { guestFileRoutes } from "#server/api/guest-files.ts";
import { imageRoutes } from "#server/api/images.ts";
import { messageImageRoutes } from "#server/api/message-images.ts";
import { answerMethodNotAllowed } from "#server/api/method-not-allowed.ts";
import { projectRoutes } from "#server/api/projects.ts";
import { referenceRoutes } from "#server/api/reference.ts";
import { caseImageRoutes } from "#server/api/reports.ts";
import { bookmarkCalls } from "#server/api/bookmarks.ts";
import { tagCalls } from "#server/api/tags.ts";
import { uploadRoutes } from "#server/api/uploads.ts";
import type { Config } from "#server/config.ts";
import type { Features } from "#server/features/index.ts";
import { countEmailLookups } from "#server/http/count-email-lookups.ts";
import { readFromReplica } from "#server/http/replica-reads.ts";
import type { Uploads } from "#server/http/uploads.ts";

type Deps = {
  config: Config;
  features: Features;
  store: ImageStore;
  uploads: Uploads;
  /** of documents, see there */
  budget: Budget;
  hasReplica: boolean;
};

/** All calls for programs, in the order of the document. */
export function programRoutes({ budget, hasReplica, ...deps }: Deps) {
  const { config, features } = deps;
  const { publicUrl } = config;
  return async (app: FastifyInstance): Promise<void> => {
    const programs = app.withTypeProvider<ZodTypeProvider>();
    await addCalls(programs, { features, publicUrl });
    countEmailLookups(programs, features);
    if (hasReplica) readFromReplica(programs, features.identity.sessions);
    answerMethodNotAllowed(programs);
    const add = (calls: Parameters<typeof addRoutes>[2]) => addRoutes(programs, features, calls);
    await programs.register(imageRoutes(deps));
    await programs.register(uploadRoutes(deps));
    await programs.register(exportRoutes(deps));
    add(feedCalls);
    add(formCalls.chats);
    await programs.register(chatPhotoRoutes(deps));
    await programs.register(eventRoutes(deps));
    await programs.register(messageImageRoutes(deps));
    add(formCalls.posts);
    add(formCalls.altSuggestions);
    add(formCalls.comments);
    add(formCalls.albums);
    add(formCalls.albumMembers);
    add(bookmarkCalls);
    add(formCalls.collections);
    add(accountCalls);
    add(exploreCalls);
    add(tagCalls);
    add(formCalls.follows);
    add(formCalls.suggestions);
    add(formCalls.blocks);
    add(formCalls.mutedWords);
    add(formCalls.notes);
    add(formCalls.sharedLinks);
    await programs.register(guestFileRoutes(deps));
    add(formCalls.reports);
    await programs.register(caseImageRoutes(deps));
    add(formCalls.notifications);
    add(formCalls.session);
    add(formCalls.settings);
    add(formCalls.privacy);
    add(formCalls.signIn);
    add(formCalls.deviceImports);
    await programs.register(projectRoutes(config));
    // those of section 7 of the specification
    await programs.register(documentedUserRoutes({ features, publicUrl, budget }));
    add(changeCalls);
    add(threadCalls);
    await programs.register(referenceRoutes);
  };
}
