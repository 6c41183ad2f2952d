import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { notificationSettingsInput } from "#shared/notifications.inputs.ts";
import { notificationSchema } from "#shared/notifications.schemas.ts";
import { pageOf } from "#shared/views.schemas.ts";

type Deps = { features: { notifications: Features["notifications"] } };

const { forMembers } = chapter("Notifications");
const path = "/api/notifications";
const settings = notificationSettingsInput.required();

const declared = {
  list: forMembers([], {
    summary: "Your notifications",
    description: "Newest first, 20 a page. Marks nothing as read unless `mark` says so.",
    querystring: cursorQuery.extend({
      only: z.enum(["mentions"]).optional().describe("those that name you"),
      mark: z.enum(["read"]).optional().describe("marks these and all before them as read"),
    }),
    response: { 200: pageOf(notificationSchema) },
  }),
  markAllRead: forMembers([], {
    summary: "Mark all as read",
    response: { 200: z.object({ unread: z.number().int().min(0) }) },
  }),
  settings: forMembers([], {
    summary: "Your notification settings",
    response: { 200: settings },
  }),
  changeSettings: forMembers([], {
    summary: "Change your notification settings",
    description: "Fields you leave out stay unchanged.",
    body: notificationSettingsInput,
    response: { 200: settings },
  }),
};

/** The caller's notifications. */
export function notificationCalls({ features: { notifications } }: Deps) {
  return {
    list: call("GET", path, declared.list, async (request) => {
      const { only = "all", mark, cursor } = request.query;
      const asked = [memberOf(request), only, cursor || null] as const;
      return mark ? (await notifications.open(...asked)).page : notifications.list(...asked);
    }),
    markAllRead: call("PUT", `${path}/read`, declared.markAllRead, async (request) =>
      notifications.markAllRead(memberOf(request)),
    ),
    settings: call("GET", `${path}/settings`, declared.settings, async (request) =>
      notifications.settings(memberOf(request)),
    ),
    changeSettings: call("PATCH", `${path}/settings`, declared.changeSettings, async (request) =>
      notifications.changeSettings(memberOf(request), request.body),
    ),
  };
}
