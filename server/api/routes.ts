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
import { documentedRoutes } from "#server/compat/calls/routes.ts";
import { feedCalls } from "#server/api/feed.ts";
import type { FormCalls } from "#server/api/form-calls.ts";
import { imageRoutes } from "#server/api/images.ts";
import { messagePictureRoutes } from "#server/api/message-pictures.ts";
import { answerOtherMethods } from "#server/api/other-methods.ts";
import { projectRoutes } from "#server/api/projects.ts";
import { referenceRoutes } from "#server/api/reference.ts";
import { casePictureRoutes } from "#server/api/reports.ts";
import { savedCalls } from "#server/api/saved.ts";
import { tagCalls } from "#server/api/tags.ts";
import { uploadRoutes } from "#server/api/uploads.ts";
import type { Config } from "#server/config.ts";
import type { Features } from "#server/features/index.ts";
import { countNamedEmails } from "#server/http/named-emails.ts";
import { addReads } from "#server/http/reads.ts";
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

/** Everything that programs call, in the order in which the document has it. */
export function programRoutes({ calls, budget, hasReplica, ...deps }: Deps) {
  const { config, features } = deps;
  const { publicUrl } = config;
  return async (app: FastifyInstance): Promise<void> => {
    const programs = app.withTypeProvider<ZodTypeProvider>();
    await addCalls(programs, { features, publicUrl });
    countNamedEmails(programs, features);
    if (hasReplica) addReads(programs, features.identity.sessions);
    answerOtherMethods(programs);
    await programs.register(imageRoutes(deps));
    await programs.register(uploadRoutes(deps));
    await programs.register(exportRoutes(deps));
    addRoutes(programs, feedCalls(deps));
    addRoutes(programs, calls.chats);
    await programs.register(chatPhotoRoutes(deps));
    await programs.register(eventRoutes(deps));
    await programs.register(messagePictureRoutes(deps));
    addRoutes(programs, calls.posts);
    addRoutes(programs, calls.altSuggestions);
    addRoutes(programs, calls.comments);
    addRoutes(programs, savedCalls(deps));
    addRoutes(programs, accountCalls(deps));
    addRoutes(programs, exploreCalls(deps));
    addRoutes(programs, tagCalls(deps));
    addRoutes(programs, calls.follows);
    addRoutes(programs, calls.suggestions);
    addRoutes(programs, calls.blocks);
    addRoutes(programs, calls.mutedWords);
    addRoutes(programs, calls.reports);
    await programs.register(casePictureRoutes(deps));
    addRoutes(programs, calls.notifications);
    addRoutes(programs, calls.session);
    addRoutes(programs, calls.settings);
    addRoutes(programs, calls.signIn);
    await programs.register(projectRoutes(config));
    await programs.register(documentedRoutes({ features, publicUrl, budget }));
    await programs.register(referenceRoutes);
  };
}
