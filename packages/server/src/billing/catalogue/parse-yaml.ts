import { isAlias, isMap, isNode, isPair, isScalar, isSeq, parseDocument } from 'yaml';
import { type CatalogueFault, InvalidCatalogue, pathIn } from './catalogue.ts';

/** Enough for thousands of coupons. */
const MAX_BYTES = 1_048_576;
const MAX_ALIASES = 100;

/**
 * The plain values of a YAML 1.2 file, without surprising features: only standard tags, no merge keys, no duplicate
 * keys, few aliases, one document. Throws InvalidCatalogue.
 */
export function parseYaml(text: string): unknown {
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw new InvalidCatalogue([{ name: 'the file', problem: `must be at most ${MAX_BYTES} bytes` }]);
  }
  try {
    const document = parseDocument(text, OPTIONS);
    const mistakes = [...document.errors, ...document.warnings].map(({ message, linePos }) => ({
      name: linePos === undefined ? 'the file' : `line ${linePos[0].line}`,
      problem: `is not valid YAML: ${firstLine(message)}`,
    }));
    const faults = mistakes.length > 0 ? mistakes : findMisleading(document.contents, '');
    if (faults.length > 0) {
      throw new InvalidCatalogue(faults.slice(0, MAX_FAULTS));
    }
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (error instanceof InvalidCatalogue) {
      throw error;
    }
    // Too many aliases, an undefined alias, or nesting deeper than the stack.
    const reason = firstLine(error instanceof Error ? error.message : String(error));
    throw new InvalidCatalogue([{ name: 'the file', problem: `cannot be read: ${reason}` }]);
  }
}

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  resolveKnownTags: false,
  merge: false,
  stringKeys: true,
  uniqueKeys: true,
  prettyErrors: true,
} as const;

const MAX_FAULTS = 100;

/**
 * Values that YAML reads differently than they look. No number in a catalogue has a fraction: 29.00 would be read as 29
 * minor units where 29 dollars were meant, and 010 as ten. Lone surrogates, which escapes can produce, cannot be
 * stored.
 */
function findMisleading(node: unknown, path: string): CatalogueFault[] {
  if (isMap(node)) {
    return node.items.flatMap((pair) =>
      isPair(pair)
        ? [
            ...findMisleading(pair.key, path),
            ...findMisleading(pair.value, pathIn(path, isScalar(pair.key) ? String(pair.key.value) : '?')),
          ]
        : [],
    );
  }
  if (isSeq(node)) {
    return node.items.flatMap((item, index) => findMisleading(item, `${path}[${index}]`));
  }
  if (!isNode(node) || isAlias(node) || !isScalar(node)) {
    return [];
  }
  const name = path === '' ? 'the file' : path;
  if (typeof node.value === 'number' && !/^-?(0|[1-9][0-9]*)$/.test(node.source ?? '')) {
    return [{ name, problem: `must be a whole number in plain digits, not ${(node.source ?? '').slice(0, 40)}` }];
  }
  const isBroken = typeof node.value === 'string' && (!node.value.isWellFormed() || node.value.includes('\0'));
  return isBroken ? [{ name, problem: 'must not contain NUL characters or lone surrogates' }] : [];
}

/** A library's message can quote the file, and is printed on a terminal. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '')
    .slice(0, 200)
    .replace(/:$/, '')
    .replaceAll(/\p{Cc}/gu, '?');
}
