/** What the page says about one setting. */
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

Settings are environment variables. An empty variable counts as not set. The service checks all settings when it starts, and
reports everything that is wrong at once, with the fix for each. \`npx seathold config\` prints the values in effect, without
secrets, and exits with 78 if something is wrong. It names variables that begin with \`SEATHOLD_\` but are not settings, and so does
the log.

A setting marked as secret can be read from a file instead: \`SEATHOLD_MASTER_KEY_FILE=/run/secrets/master-key\`, for example. White space
around it does not count. It cannot be set in both places, and a file that is missing or empty is an error.`;

const FOOTER = `[Running Seathold](../operating/running.md) explains how these settings work together.`;

function describeDefault(value: string | null): string {
  return value === null ? 'not set' : value === '' ? 'empty' : `\`${value}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
