// What people read is a message (messages/, docs/translating.md), in the files that are done: the list grows until it
// is app/ itself. Names that are the same in every language are no messages.
const done = [
  "app/features/albums/",
  "app/features/blocks/",
  "app/features/bookmarks/",
  "app/features/close-friends/",
  "app/features/collections/",
  "app/features/follows/",
  "app/features/profiles/",
  "app/features/reports/",
  "app/features/archive/",
  "app/features/landing/",
  "app/features/shell/bottom-bar.tsx",
  "app/features/shell/ended-link-page.tsx",
  "app/features/shell/error-page.tsx",
  "app/features/shell/fatal-error-page.tsx",
  "app/features/shell/language-form.tsx",
  "app/features/shell/navigation-progress.tsx",
  "app/features/shell/not-found-page.tsx",
  "app/features/shell/rail.tsx",
  "app/features/shell/shell.tsx",
  "app/features/shell/sidebar.tsx",
  "app/features/shell/sign-in-prompt.tsx",
  "app/features/shell/sign-out.tsx",
  "app/features/settings/",
  "app/features/identity/",
  "app/screens/account.tsx",
  "app/screens/authorize-app.tsx",
  "app/screens/confirm-email.tsx",
  "app/screens/connect-provider.tsx",
  "app/screens/connected-apps.tsx",
  "app/screens/delete-account.tsx",
  "app/screens/disconnect-provider.tsx",
  "app/screens/first-operator.tsx",
  "app/features/identity/avatar-picker.tsx",
  "app/features/identity/email-in-use.tsx",
  "app/features/identity/follow-choice.tsx",
  "app/features/identity/form-alert.tsx",
  "app/features/identity/loading-gate.tsx",
  "app/features/identity/other-form.tsx",
  "app/features/identity/passkey-button.tsx",
  "app/features/identity/postcard-card.tsx",
  "app/features/identity/provider-buttons.tsx",
  "app/features/identity/signed-in.tsx",
  "app/features/identity/username-field.tsx",
  "app/features/identity/verification/email-request-form.tsx",
  "app/features/identity/verification/mailed-links.tsx",
  "app/features/comments/",
  "app/features/completion/",
  "app/features/offline/",
  "app/features/posts/composer/",
  "app/features/posts/editor/",
  "app/features/sending/",
  "app/lib/",
  "app/root.tsx",
  "app/screens/delete-comment.tsx",
  "app/screens/edit-comment.tsx",
  "app/screens/edit-post.tsx",
  "app/screens/forgot-password.tsx",
  "app/screens/goodbye.tsx",
  "app/screens/keep-account.tsx",
  "app/screens/keep-email.tsx",
  "app/screens/muted-words.tsx",
  "app/screens/notification-settings.tsx",
  "app/screens/provider-done.tsx",
  "app/screens/provider-window.tsx",
  "app/screens/request-sign-in-link.tsx",
  "app/screens/reset-password.tsx",
  "app/screens/security-activity.tsx",
  "app/screens/security.tsx",
  "app/screens/settings-email.tsx",
  "app/screens/settings-panes.tsx",
  "app/screens/settings.tsx",
  "app/screens/sign-in-code.tsx",
  "app/screens/sign-in-link.tsx",
  "app/features/links/",
  "app/features/moderation/",
  "app/features/operator/",
  "app/screens/add-to-album.tsx",
  "app/screens/add-to-collection.tsx",
  "app/screens/album-members.tsx",
  "app/screens/album.tsx",
  "app/screens/arrange-album.tsx",
  "app/screens/block.tsx",
  "app/screens/blocked.tsx",
  "app/screens/bookmarks.tsx",
  "app/screens/close-friends.tsx",
  "app/screens/collection.tsx",
  "app/screens/collections.tsx",
  "app/screens/delete-album.tsx",
  "app/screens/delete-collection.tsx",
  "app/screens/edit-album.tsx",
  "app/screens/edit-collection.tsx",
  "app/screens/edit-profile.tsx",
  "app/screens/follow-requests.tsx",
  "app/screens/follow.tsx",
  "app/screens/follows.tsx",
  "app/screens/join-album.tsx",
  "app/screens/make-link.tsx",
  "app/screens/moderation-case.tsx",
  "app/screens/moderation.tsx",
  "app/screens/new-album.tsx",
  "app/screens/new-collection.tsx",
  "app/screens/open-link.tsx",
  "app/screens/operator-account.tsx",
  "app/screens/operator-accounts.tsx",
  "app/screens/operator-dashboard.tsx",
  "app/screens/operator-invitations.tsx",
  "app/screens/operator-log.tsx",
  "app/screens/operator-panes.tsx",
  "app/screens/operator-site.tsx",
  "app/screens/own-reports.tsx",
  "app/screens/post-collections.tsx",
  "app/screens/private-account.tsx",
  "app/screens/profile.tsx",
  "app/screens/put-into-album.tsx",
  "app/screens/report.tsx",
  "app/screens/rules.tsx",
  "app/screens/shared-link.tsx",
  "app/screens/shared-links.tsx",
  "app/screens/bring-photos.tsx",
  "app/screens/data.tsx",
  "app/screens/delete-imported-conversation.tsx",
  "app/screens/imported-conversation.tsx",
  "app/screens/imported-messages.tsx",
  "app/screens/sign-in.tsx",
  "app/screens/sign-out.tsx",
  "app/screens/sign-up.tsx",
  "app/screens/stop-emails.tsx",
  "app/screens/suspended.tsx",
  "app/screens/undo-import.tsx",
  "app/ui/field.tsx",
  "app/ui/password-field.tsx",
  "app/ui/toast-host.tsx",
  "app/screens/upload.tsx",
  "app/ui/",
];

/** Attributes and properties of ours that people read, or hear. */
const read = new Set([
  "alt",
  "aria-label",
  "button",
  "hint",
  "label",
  "line",
  "mark",
  "ok",
  "question",
  "text",
  "title",
]);

const sameEverywhere = new Set(["Postcard"]);
const isText = (value) =>
  typeof value === "string" && /\p{L}/u.test(value) && !sameEverywhere.has(value.trim());

const rule = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const file = context.filename.replaceAll("\\", "/");
    if (file.includes(".test.") || !done.some((path) => file.includes(path))) return {};
    const report = (node) =>
      context.report({ node, message: "What people read is a message: messages/en/*.json." });
    /** The literals that may become the value: `open ? "Hide" : "Show"`. */
    const check = (node) => {
      if (!node) return;
      if (node.type === "ConditionalExpression") [node.consequent, node.alternate].forEach(check);
      else if (node.type === "LogicalExpression") [node.left, node.right].forEach(check);
      else if (node.type === "JSXExpressionContainer") check(node.expression);
      else if (node.type === "Literal" && isText(node.value)) report(node);
      else if (
        node.type === "TemplateLiteral" &&
        node.quasis.some(({ value }) => isText(value.cooked))
      )
        report(node);
    };
    return {
      JSXText: (node) => isText(node.value) && report(node),
      JSXAttribute: (node) => read.has(node.name.name) && check(node.value),
      JSXExpressionContainer: (node) => node.parent.type === "JSXElement" && check(node.expression),
    };
  },
};

export default { meta: { name: "messages" }, rules: { "no-bare-text": rule } };
