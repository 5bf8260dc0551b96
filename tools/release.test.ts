import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  closeRelease,
  fileWithVersion,
  lockWithVersion,
  NAME_THE_VERSION,
  notesOf,
  withVersion,
} from './release/release.ts';
import { chartArchive, checksums } from './release/release-assets.ts';
import { findSbomFaults, releaseSbom } from './release/sbom.ts';

const ROOT = resolve(import.meta.dirname, '..');
const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Seats.

## [0.1.0] - 2026-01-01

- The first version.
`;

describe('a release', () => {
  const released = closeRelease(CHANGELOG, '0.2.0', '2026-02-03');

  it('moves the unreleased changes under its version and date', () => {
    expect(released).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n### Added\n\n- Seats.\n');
    expect(notesOf(released, '0.2.0')).toBe('### Added\n\n- Seats.');
    expect(notesOf(released, '0.1.0')).toBe('- The first version.');
  });

  it('is refused without changes, and a second time', () => {
    expect(() => closeRelease(released, '0.3.0', '2026-02-04')).toThrow('nothing is unreleased');
    expect(() => closeRelease(released, '0.2.0', '2026-02-04')).toThrow('already');
    expect(() => notesOf(released, '0.3.0')).toThrow('says nothing of 0.3.0');
  });

  it('sets its version in a package and in those of ours that it uses', () => {
    const manifest = { name: 'seathold', version: '0.1.0', dependencies: { '@seathold/client': '0.1.0', pg: '8.0.0' } };
    expect(JSON.parse(withVersion(JSON.stringify(manifest), '0.2.0'))).toEqual({
      name: 'seathold',
      version: '0.2.0',
      dependencies: { '@seathold/client': '0.2.0', pg: '8.0.0' },
    });
    const server = {
      version: '0.1.0',
      peerDependencies: { '@seathold/fonts-cjk': '0.1.0' },
      devDependencies: { '@seathold/client': '0.1.0', vitest: '5.0.0' },
    };
    expect(JSON.parse(withVersion(JSON.stringify(server), '0.2.0'))).toEqual({
      version: '0.2.0',
      peerDependencies: { '@seathold/fonts-cjk': '0.2.0' },
      devDependencies: { '@seathold/client': '0.2.0', vitest: '5.0.0' },
    });
    const alone = { name: '@seathold/client', version: '0.1.0' };
    expect(JSON.parse(withVersion(JSON.stringify(alone), '0.2.0'))).toEqual({ ...alone, version: '0.2.0' });
  });

  it('sets its version for our packages in the lock file, and changes no other', () => {
    const others = { 'node_modules/pg': { version: '8.0.0' }, 'packages/cli/node_modules/pg': { version: '7.0.0' } };
    const lock = { lockfileVersion: 3, packages: { 'packages/cli': { version: '0.1.0' }, ...others } };
    expect(JSON.parse(lockWithVersion(JSON.stringify(lock), '0.2.0'))).toEqual({
      lockfileVersion: 3,
      packages: { 'packages/cli': { version: '0.2.0' }, ...others },
    });
  });

  it('sets its version in the image, the chart, the guide and the Python package, and changes no other version there', () => {
    const chart = 'apiVersion: v2\nversion: 0.1.0\nappVersion: 0.1.0\n';
    expect(fileWithVersion(chart, '0.2.0')).toBe('apiVersion: v2\nversion: 0.2.0\nappVersion: 0.2.0\n');
    const compose = `image: seathold:\${SEATHOLD_VERSION:-0.1.0}\nimage: postgres:18.4.0\n`;
    expect(fileWithVersion(compose, '0.2.0')).toBe(
      `image: seathold:\${SEATHOLD_VERSION:-0.2.0}\nimage: postgres:18.4.0\n`,
    );
    expect(fileWithVersion('docker run seathold:0.1.0', '0.2.0')).toBe('docker run seathold:0.2.0');
    const project = '[project]\nversion = "0.1.0"\nrequires-python = ">=3.9"\n';
    expect(fileWithVersion(project, '0.2.0')).toBe('[project]\nversion = "0.2.0"\nrequires-python = ">=3.9"\n');
  });

  it('is given to every file that names one', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    const names = tracked.filter((path) => /\.(md|toml|ya?ml)$|Dockerfile$/.test(path) && existsSync(join(ROOT, path)));
    const isRewritten = (path: string) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return fileWithVersion(text, '0.0.0') !== text;
    };
    expect(names.filter(isRewritten).toSorted()).toEqual(NAME_THE_VERSION.toSorted());
  });

  it('has no archive that the guide would have npm install, but those of the packages', () => {
    const guide = readFileSync(join(ROOT, 'docs/operating/install.md'), 'utf8');
    const [, prefix = ''] = /npm install \.\/([\w-]+)\*\.tgz/.exec(guide) ?? [];
    expect(prefix).toBe('seathold-');
    expect(chartArchive('0.2.0').startsWith(prefix)).toBe(false);
  });

  it('has checksums that sha256sum accepts until a file changes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assets-'));
    writeFileSync(join(folder, 'a.tgz'), 'a');
    writeFileSync(join(folder, 'b.json'), 'b');
    writeFileSync(join(folder, 'SHA256SUMS'), checksums(folder));
    const verify = () =>
      execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    expect(verify()).toBe('a.tgz: OK\nb.json: OK\n');
    writeFileSync(join(folder, 'a.tgz'), 'c');
    expect(verify).toThrow('Command failed');
    rmSync(folder, { recursive: true });
  });
});

describe('the bill of materials of a release', () => {
  const component = (name: string, version: string, more = {}) => ({
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name}@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
    ...more,
  });
  const ours = ['client', 'dashboard', 'fonts-cjk', 'server'].map((name) => component(`@seathold/${name}`, '0.2.0'));
  const archive = { externalReferences: [{ type: 'distribution', url: 'file:/home/me/seathold-0.2.0.tgz' }] };
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: component('seathold-installation', '0.2.0') },
    components: [...ours, component('seathold', '0.2.0', archive), component('pg', '8.0.0')],
    dependencies: [{ ref: 'seathold-installation@0.2.0', dependsOn: ['seathold@0.2.0', 'pg@8.0.0'] }],
  };

  it('names no folder of the machine that created it', () => {
    expect(JSON.stringify(bill)).toContain('/home/me');
    expect(JSON.stringify(releaseSbom(bill))).not.toContain('/home/me');
  });

  it('has only references that are URLs, as CycloneDX requires', () => {
    const short = { externalReferences: [{ type: 'vcs', url: 'git@github.com:moxystudio/node-proper-lockfile.git' }] };
    const shortened = { ...bill, components: [...bill.components, component('x', '1.0.0', short)] };
    expect(findSbomFaults(shortened, '0.2.0')).toEqual([
      `x refers to ${short.externalReferences[0]?.url}, which is no URL`,
    ]);
    const released = releaseSbom(shortened);
    expect(findSbomFaults(released, '0.2.0')).toEqual([]);
    expect(released.components.at(-1)?.externalReferences).toEqual([
      { type: 'vcs', url: 'git+ssh://git@github.com/moxystudio/node-proper-lockfile.git' },
    ]);
  });

  it('is refused if something is missing from it', () => {
    expect(findSbomFaults(bill, '0.2.0')).toEqual([]);
    expect(findSbomFaults(bill, '0.3.0')).toContain('seathold 0.3.0 is missing');
    const withoutPg = { ...bill, components: bill.components.filter(({ name }) => name !== 'pg') };
    expect(findSbomFaults(withoutPg, '0.2.0')).toEqual(['pg@8.0.0 is needed, but not listed']);
    const unlicensed = { ...bill, components: [...bill.components, component('x', '1.0.0', { licenses: [] })] };
    expect(findSbomFaults(unlicensed, '0.2.0')).toEqual(['x has no license']);
  });
});
