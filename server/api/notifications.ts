import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { call } from "#server/api/declared-calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { notificationSettingsInput } from "#shared/notifications.inputs.ts";
import { notificationSchema, pageOf } from "#shared/views.schemas.ts";

type Deps = { features: { notifications: Features["notifications"] } };

const tags = ["Notifications"];
const access = "member" as const;
const settings = notificationSettingsInput.required();

/** What the caller is told. */
export function notificationCalls({ features: { notifications } }: Deps) {
  return {
    list: call(
      "GET",
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
    ),
    markAllRead: call(
      "PUT",
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
    ),
    settings: call(
      "GET",
      "/api/notifications/settings",
      {
        config: { access },
        schema: { tags, summary: "Your notification settings", response: { 200: settings } },
      },
      async (request) => notifications.settings(memberOf(request)),
    ),
    changeSettings: call(
      "PATCH",
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
    ),
  };
}
