import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { notificationSettingsInput } from "#shared/notifications.inputs.ts";
import { notificationSchema, pageOf } from "#shared/views.schemas.ts";

type Deps = { features: { notifications: Features["notifications"] } };

const tags = ["Notifications"];
const access = "member" as const;
const settings = notificationSettingsInput.required();

/** What the caller is told. */
export function notificationRoutes({ features: { notifications } }: Deps) {
  return async (app: Calls): Promise<void> => {
    app.get(
      "/api/notifications",
      {
        config: { access },
        schema: {
          tags,
          summary: "Your notifications",
          description: "Newest first, 20 a page. Marks nothing as read unless `mark` says so.",
          querystring: cursorQuery.extend({
            only: z.enum(["mentions"]).optional().describe("those that name you"),
            mark: z.enum(["read"]).optional().describe("marks these and all before them as read"),
          }),
          response: { 200: pageOf(notificationSchema) },
        },
      },
      async (request) => {
        const { only = "all", mark, cursor } = request.query;
        const asked = [memberOf(request), only, cursor || null] as const;
        return mark ? (await notifications.open(...asked)).page : notifications.list(...asked);
      },
    );
    app.put(
      "/api/notifications/read",
      {
        config: { access },
        schema: {
          tags,
          summary: "Mark all as read",
          response: { 200: z.object({ unread: z.number().int().min(0) }) },
        },
      },
      async (request) => notifications.markAllRead(memberOf(request)),
    );
    app.get(
      "/api/notifications/settings",
      {
        config: { access },
        schema: { tags, summary: "Your notification settings", response: { 200: settings } },
      },
      async (request) => notifications.settings(memberOf(request)),
    );
    app.patch(
      "/api/notifications/settings",
      {
        config: { access },
        schema: {
          tags,
          summary: "Change your notification settings",
          description: "Fields you leave out stay unchanged.",
          body: notificationSettingsInput,
          response: { 200: settings },
        },
      },
      async (request) => notifications.changeSettings(memberOf(request), request.body),
    );
  };
}
