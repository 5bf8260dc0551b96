import { PUBLISHED } from '../packages/stage-packages.ts';

/** What we read and change of a bill of materials in CycloneDX 1.5, as npm writes it. */
export interface Sbom {
  bomFormat: string;
  specVersion: string;
  metadata: { component: Component; [name: string]: unknown };
  components: readonly Component[];
  dependencies: ReadonlyArray<{ ref: string; dependsOn: readonly string[] }>;
  [name: string]: unknown;
}

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses?: readonly unknown[];
  externalReferences?: ReadonlyArray<{ type: string; url: string }>;
  properties?: ReadonlyArray<{ name: string; value: string }>;
  [name: string]: unknown;
}

/** The bill that npm made of an installation, without the folders of the machine on which it was made. */
export function releaseSbom(bill: Sbom): Sbom {
  return { ...bill, components: bill.components.map((each) => withLicense(withReferences(each))) };
}

/** The licenses of packages that have their text, but no name of it that npm understands (identifiers of SPDX). */
const NAMELESS_LICENSES = new Map([
  ['dejavu-fonts-ttf', 'Bitstream-Vera'],
  ['png-js', 'MIT'],
]);

function withLicense(component: Component): Component {
  const id = NAMELESS_LICENSES.get(component.name);
  return id === undefined || (component.licenses ?? []).length > 0
    ? component
    : { ...component, licenses: [{ license: { id } }] };
}

/**
 * References that anyone can follow, and that CycloneDX accepts. Our packages were installed from archives, so npm names a file
 * where it names an address for all others. Some packages name their repository in the short form of git, which is no URL.
 */
function withReferences({ externalReferences = [], purl, ...component }: Component): Component {
  const references = externalReferences
    .filter(({ url }) => !url.startsWith('file:'))
    .map((each) => ({ ...each, url: each.url.replace(/^([\w.-]+@[\w.-]+):(?!\/\/)/, 'git+ssh://$1/') }));
  return {
    ...component,
    purl: purl.replace(/\?vcs_url=file:.*$/, ''),
    ...(references.length === 0 ? {} : { externalReferences: references }),
  };
}

/** Why a bill of materials may not be published; empty when it may. */
export function findSbomFaults(
  { bomFormat, specVersion, metadata, components, dependencies }: Sbom,
  version: string,
): string[] {
  const faults: string[] = [];
  if (bomFormat !== 'CycloneDX' || !/^1\.\d+$/.test(specVersion)) {
    faults.push(`${bomFormat} ${specVersion} is not CycloneDX 1.x`);
  }
  const found = new Map(components.map((each) => [each.name, each]));
  for (const name of PUBLISHED.map((each) => (each === 'cli' ? 'seathold' : `@seathold/${each}`))) {
    if (found.get(name)?.version !== version) {
      faults.push(`${name} ${version} is missing`);
    }
  }
  const refs = new Set([metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
  for (const ref of dependencies.flatMap((each) => [each.ref, ...each.dependsOn])) {
    if (!refs.has(ref)) {
      faults.push(`${ref} is needed, but not listed`);
    }
  }
  for (const { name, licenses = [], purl, externalReferences = [] } of components) {
    for (const { url } of externalReferences.filter((each) => !URL.canParse(each.url))) {
      faults.push(`${name} refers to ${url}, which is no URL`);
    }
    if (!purl.startsWith('pkg:npm/')) {
      faults.push(`${name} has no package address`);
    }
    if (licenses.length === 0) {
      faults.push(`${name} has no license`);
    }
  }
  return faults;
}
