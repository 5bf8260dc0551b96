import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  closeRelease,
  fileWithVersion,
  lockWithVersion,
  NAME_THE_VERSION,
  notesOf,
  withVersion,
} from './release/release.ts';
import { makeAssets } from './release/release-assets.ts';

// `npm run release -- 0.2.0` makes a version ready to tag: it checks everything, and makes what is published in `dist/`.

/** Everything that a change has to pass, and that the packages work where there is no clone. */
const CHECKS = [['run', 'check'], ['test'], ['run', 'e2e'], ['run', 'test:packages'], ['run', 'test:deploy']];

const { values, positionals } = parseArgs({
  options: {
    notes: { type: 'boolean', default: false },
    assets: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowPositionals: true,
});
const [version = ''] = positionals;

if (values.help) {
  console.log(`Usage: npm run release -- [--notes|--assets] VERSION
Gives everything this version, closes the section "Unreleased" of CHANGELOG.md under it, and regenerates what names it. Then
it runs all checks and tests, and makes dist/: the packages, the chart, the bill of materials (CycloneDX), and SHA256SUMS.
Commit the result and tag it. Needs a clean work tree, and about half an hour.
--assets  makes only dist/, for a version that is there already.
--notes   prints the section of this version, for the page of the release.`);
} else if (!/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Wrong version: it has three numbers, for example 0.2.0.');
  process.exitCode = 78;
} else if (values.notes) {
  console.log(notesOf(readFileSync('CHANGELOG.md', 'utf8'), version));
} else if (values.assets) {
  publishable();
} else {
  release();
}

function release(): void {
  if (execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }) !== '') {
    throw new Error('the work tree has changes: commit them first, so that the release is what was tested');
  }
  const today = new Date().toISOString().slice(0, 10);
  rewrite('CHANGELOG.md', (text) => closeRelease(text, version, today));
  for (const name of readdirSync('packages')) {
    rewrite(`packages/${name}/package.json`, (text) => withVersion(text, version));
  }
  rewrite('package-lock.json', (text) => lockWithVersion(text, version));
  for (const path of NAME_THE_VERSION) {
    rewrite(path, (text) => fileWithVersion(text, version));
  }
  for (const words of [['run', 'generate'], ['ci'], ...CHECKS]) {
    console.log(`\n== npm ${words.join(' ')}`);
    execFileSync('npm', words, { stdio: 'inherit' });
  }
  publishable();
  console.log(`\nReady: commit it, then \`git tag -a v${version}\`.`);
}

function publishable(): void {
  const { version: present } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));
  if (present !== version) {
    throw new Error(`the packages have version ${present}`);
  }
  console.log(`\nIn dist/:\n  ${makeAssets('dist', version).join('\n  ')}`);
}

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
