import { z } from "zod";
import { callsOf } from "#server/api/declared-calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import { notificationSettingsInput } from "#shared/notifications.inputs.ts";
import { notificationSchema } from "#shared/notifications.schemas.ts";
import { pageOf } from "#shared/views.schemas.ts";

const { forMembers } = callsOf("Notifications");
const path = "/api/notifications";
const settings = notificationSettingsInput.required();

/** The caller's notifications. */
export const notificationCalls = {
  list: forMembers(`GET ${path}`, {
    summary: "Your notifications",
    description: "Newest first, 20 a page. Marks nothing as read unless `mark` says so.",
    querystring: cursorQuery.extend({
      only: z.enum(["mentions"]).optional().describe("those that name you"),
      mark: z.enum(["read"]).optional().describe("marks these and all before them as read"),
    }),
    response: { 200: pageOf(notificationSchema) },
    handler: async ({ notifications }, { viewer, query }) => {
      const { only = "all", mark, cursor } = query;
      const asked = [viewer, only, cursor] as const;
      return mark ? (await notifications.open(...asked)).page : notifications.list(...asked);
    },
  }),
  markAllRead: forMembers(`PUT ${path}/read`, {
    summary: "Mark all as read",
    response: { 200: z.object({ unread: z.number().int().min(0) }) },
    handler: ({ notifications }, { viewer }) => notifications.markAllRead(viewer),
  }),
  settings: forMembers(`GET ${path}/settings`, {
    summary: "Your notification settings",
    response: { 200: settings },
    handler: ({ notifications }, { viewer }) => notifications.settings(viewer),
  }),
  changeSettings: forMembers(`PATCH ${path}/settings`, {
    summary: "Change your notification settings",
    description: "Fields you leave out stay unchanged.",
    body: notificationSettingsInput,
    response: { 200: settings },
    handler: ({ notifications }, { viewer, body }) => notifications.changeSettings(viewer, body),
  }),
};
