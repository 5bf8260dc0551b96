import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProgram } from '../packages/cli/src/create-program.ts';
import packageJson from '../packages/server/package.json' with { type: 'json' };
import { SETTINGS } from '../packages/server/src/config/index.ts';
import { readDocument } from './generate/api-document.ts';
import { apiTable } from './generate/api-table.ts';
import { apiTypes } from './generate/api-types.ts';
import { clientResources } from './generate/client-resources.ts';
import { commandPage } from './generate/command-page.ts';
import { createProductionApp } from './generate/create-production-app.ts';
import { eventCatalogue } from './generate/event-catalogue.ts';
import { eventObjects } from './generate/event-objects.ts';
import { settingsPage } from './generate/settings-page.ts';
import { formatKeeperVectors } from './keeper-vectors/format-vectors.ts';

// Everything that is committed although it follows from something else. `--check` writes nothing and fails on drift.

/** The files by their path from the root of the repository, and what each has to say today. */
async function makeFiles(): Promise<Map<string, string>> {
  const app = await createProductionApp(packageJson.version);
  try {
    const openapi = `${JSON.stringify(app.describeApi(), undefined, 2)}\n`;
    const document = readDocument(openapi);
    return new Map([
      ['openapi.json', openapi],
      ['packages/client/src/generated/api-types.ts', apiTypes(document)],
      ['packages/client/src/generated/resources.ts', clientResources(document)],
      ['packages/client/src/generated/event-objects.ts', eventObjects(app.events)],
      ['docs/reference/api.md', apiTable(document)],
      ['docs/reference/commands.md', commandPage(createProgram())],
      ['docs/reference/events.md', eventCatalogue(app.events)],
      ['docs/reference/settings.md', settingsPage(Object.values(SETTINGS))],
      ['sdks/keeper-vectors.json', formatKeeperVectors()],
    ]);
  } finally {
    await app.close();
  }
}

/** The paths of the files that do not say what they should. */
async function findDrift(root: string, files: ReadonlyMap<string, string>): Promise<string[]> {
  const drifted: string[] = [];
  for (const [path, text] of files) {
    const found = await readFile(join(root, path), 'utf8').catch(() => undefined);
    if (found !== text) {
      drifted.push(path);
    }
  }
  return drifted;
}

async function main(): Promise<void> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = await makeFiles();
  const drifted = await findDrift(root, files);
  if (drifted.length === 0) {
    console.log(`generate: ${files.size} files are up to date`);
  } else if (process.argv.includes('--check')) {
    console.error(`generate: these files have drifted; run npm run generate and commit them:\n${indented(drifted)}`);
    process.exitCode = 1;
  } else {
    for (const path of drifted) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), files.get(path) ?? '');
    }
    console.log(`generate: made\n${indented(drifted)}`);
  }
}

function indented(paths: readonly string[]): string {
  return paths.map((path) => `  ${path}`).join('\n');
}

if (import.meta.main) {
  await main();
}
