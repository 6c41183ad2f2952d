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
import { documentedChangeRoutes } from "#server/compat/calls/changes.ts";
import { documentedThreadRoutes } from "#server/compat/calls/threads.ts";
import { documentedUserRoutes } from "#server/compat/calls/users.ts";
import { feedCalls } from "#server/api/feed.ts";
import type { FormCalls } from "#server/api/form-calls.ts";
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
  calls: FormCalls;
  /** of documents, see there */
  budget: Budget;
  hasReplica: boolean;
};

/** All calls for programs, in the order of the document. */
export function programRoutes({ calls, budget, hasReplica, ...deps }: Deps) {
  const { config, features } = deps;
  const { publicUrl } = config;
  return async (app: FastifyInstance): Promise<void> => {
    const programs = app.withTypeProvider<ZodTypeProvider>();
    await addCalls(programs, { features, publicUrl });
    countEmailLookups(programs, features);
    if (hasReplica) readFromReplica(programs, features.identity.sessions);
    answerMethodNotAllowed(programs);
    await programs.register(imageRoutes(deps));
    await programs.register(uploadRoutes(deps));
    await programs.register(exportRoutes(deps));
    addRoutes(programs, feedCalls(deps));
    addRoutes(programs, calls.chats);
    await programs.register(chatPhotoRoutes(deps));
    await programs.register(eventRoutes(deps));
    await programs.register(messageImageRoutes(deps));
    addRoutes(programs, calls.posts);
    addRoutes(programs, calls.altSuggestions);
    addRoutes(programs, calls.comments);
    addRoutes(programs, calls.albums);
    addRoutes(programs, calls.albumMembers);
    addRoutes(programs, bookmarkCalls(deps));
    addRoutes(programs, calls.collections);
    addRoutes(programs, accountCalls(deps));
    addRoutes(programs, exploreCalls(deps));
    addRoutes(programs, tagCalls(deps));
    addRoutes(programs, calls.follows);
    addRoutes(programs, calls.suggestions);
    addRoutes(programs, calls.blocks);
    addRoutes(programs, calls.mutedWords);
    addRoutes(programs, calls.notes);
    addRoutes(programs, calls.sharedLinks);
    await programs.register(guestFileRoutes(deps));
    addRoutes(programs, calls.reports);
    await programs.register(caseImageRoutes(deps));
    addRoutes(programs, calls.notifications);
    addRoutes(programs, calls.session);
    addRoutes(programs, calls.settings);
    addRoutes(programs, calls.privacy);
    addRoutes(programs, calls.signIn);
    addRoutes(programs, calls.deviceImports);
    await programs.register(projectRoutes(config));
    // those of section 7 of the specification
    await programs.register(documentedUserRoutes({ features, publicUrl, budget }));
    await programs.register(documentedChangeRoutes(deps));
    await programs.register(documentedThreadRoutes(deps));
    await programs.register(referenceRoutes);
  };
}
