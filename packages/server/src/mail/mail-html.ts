import type { MailContent } from './mailer.ts';

/** The HTML of a mail: one column, readable in light and dark, with nothing in it that would have to be fetched. */
export function renderHtml({ subject, paragraphs, code, link }: MailContent): string {
  const blocks = [
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(code === undefined ? [] : [`<pre>${escapeHtml(code)}</pre>`]),
    ...(link === undefined ? [] : [renderLink(link)]),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="mail" role="article" aria-label="${escapeHtml(subject)}">
${blocks.join('\n')}
</div>
</body>
</html>
`;
}

/** The whole address is shown, so that everyone can see where it leads. Only web addresses can be followed. */
function renderLink({ label, url }: { label: string; url: string }): string {
  const shown = escapeHtml(url);
  const target = /^https?:\/\//.test(url) ? `<a href="${shown}">${shown}</a>` : shown;
  return `<p>${escapeHtml(label)}:<br>${target}</p>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Both pairs of colours keep a contrast of 7:1 and more (WCAG 1.4.6). */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 24px; background: #ffffff; color: #1a1c20; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.mail { max-width: 600px; overflow-wrap: anywhere; }
p { margin: 0 0 16px; }
pre { margin: 0 0 16px; padding: 12px 16px; background: #eef0f3; color: #1a1c20; border-radius: 6px; font: 18px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
a { color: #0a4a8f; }
@media (prefers-color-scheme: dark) {
body { background: #16181c; color: #eceef1; }
pre { background: #2a2d33; color: #eceef1; }
a { color: #a9cbff; }
}
`;
