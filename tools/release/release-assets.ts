import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { packPackages } from '../packages/pack-packages.ts';
import { findSbomFaults, releaseSbom } from './sbom.ts';

const CHARTS = resolve(import.meta.dirname, '../../deploy/helm');

/** Makes in a folder what a release publishes: the packages, the chart, the bill of materials and the checksums. Returns its files. */
export function makeAssets(folder: string, version: string): string[] {
  const packed = packPackages(resolve(folder)).map(({ path }) => path);
  writeFileSync(
    join(folder, `seathold-${version}.cdx.json`),
    `${JSON.stringify(listMaterials(packed, version), null, 2)}\n`,
  );
  // What `helm package` makes is such an archive.
  execFileSync('tar', ['-czf', join(folder, chartArchive(version)), '-C', CHARTS, 'seathold']);
  writeFileSync(join(folder, 'SHA256SUMS'), checksums(folder));
  return readdirSync(folder).toSorted();
}

/** Not `seathold-…`: `npm install ./seathold-*.tgz`, as the guide has it, must not find it. */
export function chartArchive(version: string): string {
  return `helm-chart-seathold-${version}.tgz`;
}

/** All that an installation of the packages consists of, as npm installs it today. Throws if the bill is not complete. */
function listMaterials(archives: readonly string[], version: string): object {
  const folder = mkdtempSync(join(tmpdir(), 'seathold-release-'));
  try {
    const installed = join(folder, 'seathold-installation');
    mkdirSync(installed);
    writeFileSync(
      join(installed, 'package.json'),
      JSON.stringify({ name: 'seathold-installation', version, private: true }),
    );
    const options = { cwd: installed, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
    execFileSync('npm', ['install', '--ignore-scripts', ...archives], options);
    const words = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
    const bill = releaseSbom(JSON.parse(execFileSync('npm', words, options)));
    const faults = findSbomFaults(bill, version);
    if (faults.length > 0) {
      throw new Error(`the bill of materials is not complete: ${faults.join('; ')}`);
    }
    return bill;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The SHA-256 of each file of a folder, in the form that `sha256sum --check SHA256SUMS` reads. */
export function checksums(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name !== 'SHA256SUMS')
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('');
}
