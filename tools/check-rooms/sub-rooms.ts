import { resolveImport } from './arrows.ts';
import { isTest, type SourceFile, type Violation } from './source-files.ts';

interface Arrow {
  readonly from: string;
  readonly to: string;
  /** Where it was seen first. */
  readonly path: string;
  readonly line: number;
}

/** Sub-folders of one room that import each other and have to be taken apart, as `billing/invoices`. */
export type KnownKnots = readonly (readonly string[])[];

/**
 * Reports sub-folders of a room that import each other in a cycle, types included. Files at the room's top count as
 * neither: its front door and its routes enter every sub-folder, and errors or tools are entered by all of them.
 */
export function checkSubRooms(files: readonly SourceFile[], rooms: readonly string[], known: KnownKnots): Violation[] {
  const knots = rooms.flatMap((room) => findKnots(arrowsOf(files, room)));
  const isKnown = (knot: readonly string[]) => known.some((each) => each.join() === knot.join());
  const isHere = ([folder = '']: readonly string[]) =>
    files.some(({ path }) => path.startsWith(`packages/server/src/${folder.split('/')[0]}/`));
  const isTied = (each: readonly string[]) => knots.some(({ folders }) => folders.join() === each.join());
  return [
    ...knots.filter(({ folders }) => !isKnown(folders)).map(({ arrows }) => describeKnot(arrows)),
    ...known.filter((each) => isHere(each) && !isTied(each)).map(describeLooseKnot),
  ];
}

function arrowsOf(files: readonly SourceFile[], room: string): Arrow[] {
  const root = `packages/server/src/${room}/`;
  const folderOf = (path: string) =>
    path.startsWith(root) && path.slice(root.length).includes('/')
      ? `${room}/${path.slice(root.length, path.indexOf('/', root.length))}`
      : undefined;
  const arrows = new Map<string, Arrow>();
  for (const { path, imports } of files) {
    const from = folderOf(path);
    if (from === undefined || isTest(path)) continue;
    for (const { specifier, line } of imports) {
      const to = folderOf((specifier === null ? null : resolveImport(path, specifier)) ?? '');
      const key = `${from} ${to}`;
      if (to !== undefined && to !== from && !arrows.has(key)) arrows.set(key, { from, to, path, line });
    }
  }
  return [...arrows.values()];
}

/** The strongly connected components with more than one folder: from each of its folders a way leads to every other. */
function findKnots(arrows: readonly Arrow[]): { folders: readonly string[]; arrows: readonly Arrow[] }[] {
  const reached = new Map(arrows.map(({ from }) => [from, reach(from, arrows)]));
  const tiedTo = (folder: string) =>
    [...(reached.get(folder) ?? [])].filter((other) => reached.get(other)?.has(folder) === true).sort();
  const knots = new Map([...reached.keys()].map((folder) => [tiedTo(folder).join(), tiedTo(folder)]));
  return [...knots.values()]
    .filter((folders) => folders.length > 1)
    .map((folders) => ({
      folders,
      arrows: arrows.filter(({ from, to }) => folders.includes(from) && folders.includes(to)),
    }));
}

function reach(start: string, arrows: readonly Arrow[]): ReadonlySet<string> {
  const found = new Set<string>();
  const next = [start];
  for (const at of next) {
    for (const { from, to } of arrows) {
      if (from !== at || found.has(to)) continue;
      found.add(to);
      next.push(to);
    }
  }
  return found;
}

function describeKnot(arrows: readonly Arrow[]): Violation {
  const [first] = arrows;
  const ways = arrows.map(({ from, to, path, line }) => `${from} → ${to} (${path.split('/').at(-1)}:${line})`);
  const advice = `cut one of ${ways.join(', ')}: move down what both need`;
  return { path: first?.path ?? '', line: first?.line ?? 1, rule: 'sub-room-knot', advice };
}

function describeLooseKnot(folders: readonly string[]): Violation {
  const advice = `${folders.join(', ')} are no knot of their own any more: take them out of KNOWN_KNOTS, or name what is left`;
  return { path: 'tools/check-rooms.ts', line: 1, rule: 'loose-knot', advice };
}
