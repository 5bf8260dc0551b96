/** The files beside the packages that name the version. */
export const NAME_THE_VERSION = [
  'deploy/Dockerfile',
  'deploy/compose.yaml',
  'deploy/helm/seathold/Chart.yaml',
  'docs/operating/install.md',
  'sdks/python/pyproject.toml',
];

const UNRELEASED = '## [Unreleased]';

/** The changelog with a new section for this version, which takes over all that was unreleased. */
export function closeRelease(changelog: string, version: string, date: string): string {
  if (changelog.includes(`\n## [${version}]`)) {
    throw new Error(`CHANGELOG.md has a section for ${version} already`);
  }
  if (sectionOf(changelog, 'Unreleased') === '') {
    throw new Error('nothing is unreleased: CHANGELOG.md has no lines for this version');
  }
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## [${version}] - ${date}`);
}

/** What the changelog says of a version, without its heading. */
export function notesOf(changelog: string, version: string): string {
  const notes = sectionOf(changelog, version);
  if (notes === '') {
    throw new Error(`CHANGELOG.md says nothing of ${version}`);
  }
  return notes;
}

/** A package.json with this version for the package, and for our other packages that it depends on. */
export function withVersion(text: string, version: string): string {
  return `${JSON.stringify(inVersion(JSON.parse(text), version), null, 2)}\n`;
}

/** The lock file, which says the same of each package in `packages/`. */
export function lockWithVersion(text: string, version: string): string {
  const lock: { packages: Readonly<Record<string, Manifest>> } = JSON.parse(text);
  const packages = Object.fromEntries(
    Object.entries(lock.packages).map(([path, entry]) => [
      path,
      /^packages\/[^/]+$/.test(path) ? inVersion(entry, version) : entry,
    ]),
  );
  return `${JSON.stringify({ ...lock, packages }, null, 2)}\n`;
}

function inVersion(manifest: Manifest, version: string): Manifest {
  const { dependencies, peerDependencies, devDependencies } = manifest;
  return {
    ...manifest,
    version,
    ...(dependencies === undefined ? {} : { dependencies: withOurs(dependencies, version) }),
    ...(peerDependencies === undefined ? {} : { peerDependencies: withOurs(peerDependencies, version) }),
    ...(devDependencies === undefined ? {} : { devDependencies: withOurs(devDependencies, version) }),
  };
}

/** A file of `deploy/`, a page about it, or the Python package, with this version where it names ours. */
export function fileWithVersion(text: string, version: string): string {
  return text
    .replaceAll(/^(version|appVersion): \d+\.\d+\.\d+$/gm, `$1: ${version}`)
    .replaceAll(/^version = "\d+\.\d+\.\d+"$/gm, `version = "${version}"`)
    .replaceAll(/(seathold:|SEATHOLD_VERSION:-)\d+\.\d+\.\d+/g, `$1${version}`);
}

type Dependencies = Readonly<Record<string, string>>;

interface Manifest {
  version: string;
  dependencies?: Dependencies;
  peerDependencies?: Dependencies;
  devDependencies?: Dependencies;
}

function withOurs(dependencies: Dependencies, version: string): Dependencies {
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, wanted]) => [name, isOurs(name) ? version : wanted]),
  );
}

function isOurs(name: string): boolean {
  return name === 'seathold' || name.startsWith('@seathold/');
}

function sectionOf(changelog: string, name: string): string {
  const [, after = ''] = changelog.split(new RegExp(`^## \\[${name.replaceAll('.', '\\.')}\\].*$`, 'm'));
  return after.split(/^## \[/m)[0]?.trim() ?? '';
}
