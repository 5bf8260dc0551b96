import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Builds packages/dashboard. A script of npm runs it at `npm ci` and before `npm start`, so it is JavaScript, which every
// supported Node.js runs. Where only the packages for production are installed there is no Vite: it then does nothing.

const root = fileURLToPath(new URL('../packages/dashboard/', import.meta.url));
const FILES = ['index.html', 'vite.config.ts', 'package.json'];
const FOLDERS = ['public/', 'src/', '../client/src/'];

if (!process.argv.includes('--if-outdated') || isOutdated()) {
  await build();
}

/** Whether a source is newer than what was built from it. */
function isOutdated() {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(root + folder, { recursive: true }).map((name) => folder + name),
  );
  const built = changedAt('dist/index.html');
  return [...FILES, ...inFolders].some((path) => changedAt(path) > built);
}

function changedAt(path) {
  return statSync(root + path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function build() {
  const vite = await import('vite').catch((error) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') {
      return undefined;
    }
    throw error;
  });
  if (vite === undefined) {
    console.error('The dashboard was not built: Vite is not installed. `npm ci` installs it.');
    return;
  }
  await vite.build({ root, logLevel: 'warn' });
}
