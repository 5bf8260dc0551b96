import type { ApiDocument, Operation } from './api-document.ts';

/** The page that shows the whole API as one table for each tag. */
export function apiTable(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? 'Other');
  const sections = [...byTag].map(([tag, members]) => {
    const rows = members.map(
      ({ method, path, operation }) =>
        `| \`${method.toUpperCase()} ${path}\` | ${cell(operation.summary)} | ${accessOf(operation)} | ${statusesOf(operation)} |`,
    );
    return [
      `## ${tag}`,
      '',
      '| Endpoint | What it does | Access | Success |',
      '| --- | --- | --- | --- |',
      ...rows,
    ].join('\n');
  });
  return `${[HEADER, ...sections].join('\n\n')}\n`;
}

const HEADER = `<!-- Made by tools/generate.ts from openapi.json; never edited. -->

# The API on one page

Every endpoint, with the scope and the role that a token needs. Parameters, bodies, examples and errors are in the API
reference at \`/docs\` of a running service and in [openapi.json](../../openapi.json).`;

/** What the description ends with, so that both pages say the same. */
function accessOf({ security, description = '' }: Operation): string {
  const stated = /(?:^|\n)Requires ([^\n]+)\.\s*$/.exec(description)?.[1];
  return stated === undefined ? (security?.length === 0 ? 'no token' : 'any token') : cell(stated);
}

function statusesOf({ responses }: Operation): string {
  return Object.keys(responses)
    .filter((status) => status < '400')
    .join(', ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
