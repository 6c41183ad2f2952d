import { describe, expect, test } from "vitest";
import { listNeeds } from "#server/platform/status/needs.ts";

const well = {
  troubles: [],
  backups: { trouble: "" },
  mailLeaves: true,
  free: 1e12,
  jobs: { waiting: [], failed: [] },
  findings: [],
};
const job = (id: string) => ({ id, name: "mail.send", error: "Error", failedAt: 0 });
const disk = { id: "1", kind: "disk" as const, said: "The disk is almost full.", beganAt: 5 };
const finding = (about: string, text: string, state: "problem" | "note" = "problem") => ({
  state,
  about,
  text,
});
const abouts = (state: Partial<Parameters<typeof listNeeds>[0]>) =>
  listNeeds({ ...well, ...state }).map(({ about }) => about);

describe("what needs an operator", () => {
  test("is nothing where all is well, also with notes of the last checks", () => {
    expect(listNeeds(well)).toEqual([]);
    expect(abouts({ findings: [finding("Disk", "Soon.", "note")], free: null })).toEqual([]);
  });

  test("is each thing once, the urgent ones first", () => {
    const needs = listNeeds({
      ...well,
      troubles: [disk],
      free: 1,
      backups: null,
      mailLeaves: false,
      jobs: {
        waiting: [{ name: "push.send", waiting: 4, late: 2 }],
        failed: [job("1"), job("2")],
      },
      // as they were when the checks ran: the page knows better
      findings: [
        finding("Disk", "1 GB free."),
        finding("Backups", "None."),
        finding("Jobs", "2 failed."),
        finding("Secrets", "Others on this machine can read them."),
      ],
    });
    expect(needs).toEqual([
      { about: "disk", text: "The disk is almost full.", since: 5, amount: null },
      { about: "jobs", text: "2 jobs failed.", since: null, amount: 2 },
      {
        about: "late",
        text: "2 jobs should have begun more than ten minutes ago.",
        since: null,
        amount: 2,
      },
      { about: "checks", text: "Others on this machine can read them.", since: null, amount: null },
      { about: "backups-off", text: "Automatic backups are off.", since: null, amount: null },
      { about: "mail-off", text: "Email isn't set up.", since: null, amount: null },
    ]);
  });

  test("includes what no server has noticed yet", () => {
    expect(abouts({ free: 1 })).toEqual(["disk"]);
    const trouble = "The backup folder can't be read.";
    expect(listNeeds({ ...well, backups: { trouble } })).toMatchObject([{ text: trouble }]);
    const backup = { ...disk, kind: "backup" as const };
    expect(abouts({ backups: { trouble }, troubles: [backup] })).toEqual(["backups"]);
  });
});
