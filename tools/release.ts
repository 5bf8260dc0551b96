import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { closeRelease, lockWithVersion, notesOf, withVersion } from './release/release.ts';

// `npm run release -- 0.2.0` makes a version ready to tag; `npm run release -- --notes 0.2.0` prints what is new in it.

const { values, positionals } = parseArgs({
  options: { notes: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
  allowPositionals: true,
});
const [version = ''] = positionals;

if (values.help) {
  console.log(`Usage: npm run release -- [--notes] VERSION
Without --notes: gives all packages this version, closes the section "Unreleased" of CHANGELOG.md under it, and
regenerates what names it. Commit the result and tag it.
With --notes: prints the section of this version, for the page of the release.`);
} else if (!/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Wrong version: it has three numbers, for example 0.2.0.');
  process.exitCode = 78;
} else if (values.notes) {
  console.log(notesOf(readFileSync('CHANGELOG.md', 'utf8'), version));
} else {
  release();
}

function release(): void {
  const today = new Date().toISOString().slice(0, 10);
  rewrite('CHANGELOG.md', (text) => closeRelease(text, version, today));
  for (const name of readdirSync('packages')) {
    rewrite(`packages/${name}/package.json`, (text) => withVersion(text, version));
  }
  rewrite('package-lock.json', (text) => lockWithVersion(text, version));
  execFileSync('npm', ['run', 'generate'], { stdio: 'inherit' });
  console.log(`\nReady: commit it, then \`git tag -a v${version}\`.`);
}

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
