import type { Config } from '../config/index.ts';
import type { MailContent, MailRow } from './mailer.ts';

/** The configured branding of mails. */
export type MailBrand = Config['brand'];

/** The HTML of a mail: one column, readable in light and dark, narrow and wide, and without images unless a logo is set. */
export function renderHtml(content: MailContent, brand: MailBrand, notes: readonly string[]): string {
  const subject = escapeHtml(content.subject);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${STYLE}</style>
</head>
<body>
<div class="mail" role="article" aria-label="${subject}">
<div class="brand">${renderName(brand)}</div>
<div class="card">
${blocksOf(content, brand).join('\n')}
</div>
<div class="footer">
${footerOf(brand, notes).join('\n')}
</div>
</div>
</body>
</html>
`;
}

function renderName({ name, logoUrl }: MailBrand): string {
  const shown = escapeHtml(name);
  return logoUrl === '' ? shown : `<img src="${escapeHtml(logoUrl)}" alt="${shown}" height="40">`;
}

/** The button follows a code that it uses; a code with a note follows the button as its alternative. */
function blocksOf({ paragraphs, table = [], code, codeNote, link, closing }: MailContent, brand: MailBrand): string[] {
  const text = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`);
  const tableBlock = table.length === 0 ? [] : [renderTable(table)];
  const codeBlock = code === undefined ? [] : [`<pre>${escapeHtml(code)}</pre>`];
  const linkBlock = link === undefined ? [] : [renderButton(link, brand)];
  const ways =
    codeNote === undefined
      ? [...codeBlock, ...linkBlock]
      : [...linkBlock, `<p>${escapeHtml(codeNote)}</p>`, ...codeBlock];
  return [...text, ...tableBlock, ...ways, ...(closing === undefined ? [] : [`<p>${escapeHtml(closing)}</p>`])];
}

/** Amounts stay on one line; identifiers are too wide for that on a phone. */
const MOST_IN_ONE_LINE = 20;

function renderTable(rows: readonly MailRow[]): string {
  const shown = rows.map(({ label, note, value, isTotal }) => {
    const below = note === undefined ? '' : `<br><span class="note">${escapeHtml(note)}</span>`;
    const kind = isTotal ? ' class="total"' : '';
    const width = value.length > MOST_IN_ONE_LINE ? ' class="long"' : '';
    return `<tr${kind}><th scope="row" align="left">${escapeHtml(label)}${below}</th><td align="right"${width}>${escapeHtml(value)}</td></tr>`;
  });
  return `<table class="rows" width="100%" cellpadding="0" cellspacing="0" border="0">\n${shown.join('\n')}\n</table>`;
}

/**
 * A button in a table, the only padding that all mail clients support. The full URL is below it, so that everyone can
 * see where it leads. Only web addresses become links.
 */
function renderButton({ label, url }: { label: string; url: string }, { color }: MailBrand): string {
  const shown = escapeHtml(url);
  if (!/^https?:\/\//.test(url)) {
    return `<p>${escapeHtml(label)}:<br>${shown}</p>`;
  }
  const ink = inkOn(color);
  return `<table role="presentation" class="button" cellpadding="0" cellspacing="0" border="0"><tr>
<td align="center" bgcolor="${color}" style="background:${color};border-radius:6px">
<a href="${shown}" style="display:inline-block;padding:12px 24px;color:${ink};font-weight:600;text-decoration:none">${escapeHtml(label)}</a>
</td></tr></table>
<p class="small">Or open this link: <a href="${shown}">${shown}</a></p>`;
}

function footerOf({ name, supportEmail }: MailBrand, notes: readonly string[]): string[] {
  const address = escapeHtml(supportEmail);
  return [
    ...notes.map((note) => `<p>${escapeHtml(note)}</p>`),
    ...(supportEmail === '' ? [] : [`<p>Questions? Contact <a href="mailto:${address}">${address}</a>.</p>`]),
    `<p>${escapeHtml(name)}</p>`,
  ];
}

/**
 * Black or white, whichever is easier to read on a color: one of them always has a contrast of at least 4.5:1 (WCAG
 * 1.4.3).
 */
export function inkOn(color: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * Number(red) + 0.7152 * Number(green) + 0.0722 * Number(blue);
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#ffffff' : '#000000';
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text has a contrast of at least 7:1 in both schemes, the footer of 4.5:1 (WCAG 1.4.6 and 1.4.3). */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 24px 16px; background: #f3f4f6; color: #1a1c20; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.mail { max-width: 560px; margin: 0 auto; overflow-wrap: anywhere; }
.brand { margin: 0 0 16px; font-size: 18px; font-weight: 700; }
.brand img { display: block; height: 40px; max-width: 100%; border: 0; }
.card { padding: 24px 24px 8px; background: #ffffff; border: 1px solid #d9dce1; border-radius: 8px; }
p { margin: 0 0 16px; }
pre { margin: 0 0 16px; padding: 12px 16px; background: #eef0f3; color: #1a1c20; border-radius: 6px; font: 16px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.button { margin: 8px 0 16px; }
.small { font-size: 14px; }
.rows { width: 100%; margin: 0 0 16px; border-collapse: collapse; }
.rows th, .rows td { padding: 8px 0; border-bottom: 1px solid #d9dce1; font-weight: 400; vertical-align: top; }
.rows th { min-width: 104px; text-align: left; }
.rows td { padding-left: 16px; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.rows .long { white-space: normal; }
.rows .total th, .rows .total td { font-weight: 700; }
.note { font-size: 14px; color: #555b66; }
.footer { padding: 16px 24px 0; font-size: 14px; color: #555b66; }
.footer p { margin: 0 0 4px; }
a { color: #0a4a8f; }
@media (max-width: 480px) {
.card { padding: 16px 16px 0; }
.footer { padding: 16px 16px 0; }
}
@media (prefers-color-scheme: dark) {
body { background: #101218; color: #eceef1; }
.card { background: #1b1e25; border-color: #3a3f4a; }
pre { background: #2a2d33; color: #eceef1; }
.rows th, .rows td { border-color: #3a3f4a; }
.footer, .note { color: #a4abb8; }
a { color: #a9cbff; }
}
`;
