import * as words from "#messages/operator.json";
import type { Role } from "#shared/operator.ts";

type RoleTexts = {
  /** "Moderator" */
  name: string;
  hint: string;
  /** "moderator", among others in a line */
  inLine: string;
  /** what is said once it was given */
  given: string;
};

export const roleTexts: Record<Role, RoleTexts> = {
  member: {
    name: words.member,
    hint: words.memberHint,
    inLine: words.isMember,
    given: words.nowMember,
  },
  moderator: {
    name: words.moderator,
    hint: words.moderatorHint,
    inLine: words.isModerator,
    given: words.nowModerator,
  },
  operator: {
    name: words.operatorRole,
    hint: words.operatorHint,
    inLine: words.isOperator,
    given: words.nowOperator,
  },
};
