import { escapeHtml } from "#server/platform/html.ts";

/** The part of Markdown that descriptions use: paragraphs, `code`, **strong**. */
export function richText(text: string): string {
  if (text.trim() === "") return "";
  const paragraphs = text.trim().split(/\n\s*\n/);
  return paragraphs.map((paragraph) => `<p>${inlineText(paragraph)}</p>`).join("");
}

export function inlineText(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>");
}
