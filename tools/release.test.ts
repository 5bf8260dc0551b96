import { describe, expect, it } from 'vitest';
import { closeRelease, lockWithVersion, notesOf, withVersion } from './release/release.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Seats.

## [0.1.0] - 2026-01-01

- The first version.
`;

describe('a release', () => {
  const released = closeRelease(CHANGELOG, '0.2.0', '2026-02-03');

  it('takes over what was unreleased, under its version and date', () => {
    expect(released).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n### Added\n\n- Seats.\n');
    expect(notesOf(released, '0.2.0')).toBe('### Added\n\n- Seats.');
    expect(notesOf(released, '0.1.0')).toBe('- The first version.');
  });

  it('is refused without changes, and a second time', () => {
    expect(() => closeRelease(released, '0.3.0', '2026-02-04')).toThrow('nothing is unreleased');
    expect(() => closeRelease(released, '0.2.0', '2026-02-04')).toThrow('already');
    expect(() => notesOf(released, '0.3.0')).toThrow('says nothing of 0.3.0');
  });

  it('gives its version to a package and to those of ours that it uses', () => {
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

  it('is the one that the lock file has for our packages, and changes no other', () => {
    const others = { 'node_modules/pg': { version: '8.0.0' }, 'packages/cli/node_modules/pg': { version: '7.0.0' } };
    const lock = { lockfileVersion: 3, packages: { 'packages/cli': { version: '0.1.0' }, ...others } };
    expect(JSON.parse(lockWithVersion(JSON.stringify(lock), '0.2.0'))).toEqual({
      lockfileVersion: 3,
      packages: { 'packages/cli': { version: '0.2.0' }, ...others },
    });
  });
});
