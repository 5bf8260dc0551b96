/** What the page tells of one setting. */
export interface DescribedSetting {
  name: string;
  description: string;
  default: string | null;
  secret?: boolean;
}

/** The page that tells operators of every setting. */
export function settingsPage(settings: readonly DescribedSetting[]): string {
  const rows = settings.map(
    ({ name, description, default: value, secret }) =>
      `| \`${name}\` | ${describeDefault(value)} | ${cell(description)}${secret === true ? ' Secret.' : ''} |`,
  );
  return `${[HEADER, ['| Setting | Default | |', '| --- | --- | --- |', ...rows].join('\n'), FOOTER].join('\n\n')}\n`;
}

const HEADER = `<!-- Made by tools/generate.ts from packages/server/src/config/settings.ts; never edited. -->

# Settings

Settings are environment variables; an empty one counts as not set. All of them are checked at start, and everything that is
wrong is told at once, by name and with the fix. \`npx seathold config\` prints what is in effect, with secrets hidden, and
ends with 78 when something is wrong. A name that begins with \`SEATHOLD_\` and is not known is warned of in the log.`;

const FOOTER = `[Running Seathold](../operating/running.md) explains how they work together.`;

function describeDefault(value: string | null): string {
  return value === null ? 'not set' : value === '' ? 'empty' : `\`${value}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
