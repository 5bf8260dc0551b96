/** A stretch of a line, in the order in which stretches are drawn from left to right. */
export interface Stretch {
  text: string;
  /** Whether it reads from right to left; its characters are still in the order of reading. */
  isRightToLeft: boolean;
}

/**
 * Puts one line into the order in which it is drawn, by the rules of Unicode's bidirectional algorithm (UAX 9) that names,
 * addresses and numbers need: strong characters, numbers, neutral characters between them, mirrored brackets. Embeddings
 * are no part of it, since the marks that begin them are taken out before.
 */
export function orderVisually(line: string): Stretch[] {
  if (!RIGHT_TO_LEFT.test(line)) {
    return line === '' ? [] : [{ text: line, isRightToLeft: false }];
  }
  const units = Array.from(line.matchAll(UNITS), ([text]) => ({ text, kind: kindOf(text) }));
  const isBaseRight = units.find(({ kind }) => kind === 'left' || kind === 'right')?.kind === 'right';
  const levels = levelsOf(
    units.map(({ text }) => text),
    units.map(({ kind }) => kind),
    isBaseRight,
  );
  const leveled = units.map(({ text }, at) => ({ text, level: levels[at] ?? 0 }));
  return merge([2, 1].reduce(reverseFrom, leveled));
}

type Side = 'left' | 'right';
type Kind = 'left' | 'right' | 'number' | 'neutral';

const RTL = '\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Nko}';
const RIGHT_TO_LEFT = new RegExp(`[${RTL}]`, 'u');
/** A number with its separators; a word that reads from right to left; any other character with its marks. */
const UNITS = new RegExp(
  `\\p{Nd}+(?:[.,:/-]\\p{Nd}+)*|(?:(?!\\p{Nd})[${RTL}][\\p{M}\\u200c]*)+|\\P{M}\\p{M}*|\\p{M}+`,
  'gu',
);

function kindOf(text: string): Kind {
  if (/^\p{Nd}/u.test(text)) {
    return 'number';
  }
  if (/^[\p{L}\p{M}]/u.test(text)) {
    return RIGHT_TO_LEFT.test(text) ? 'right' : 'left';
  }
  return 'neutral';
}

/** Even levels read from left to right. A number within text from right to left stands as it is, at level 2. */
function levelsOf(texts: readonly string[], kinds: readonly Kind[], isBaseRight: boolean): number[] {
  const strong: Array<Side | undefined> = [];
  let before: Side = isBaseRight ? 'right' : 'left';
  for (const kind of kinds) {
    before = kind === 'left' || kind === 'right' ? kind : before;
    strong.push(kind === 'neutral' ? undefined : before);
  }
  const base = isBaseRight ? 'right' : 'left';
  giveSidesToBrackets(texts, strong, base);
  return kinds.map((kind, at) => {
    const side = strong[at] ?? sideOfNeutral(strong, at, base);
    if (side === 'left') {
      return isBaseRight ? 2 : 0;
    }
    return kind === 'number' ? 2 : 1;
  });
}

/**
 * A pair of brackets belongs to the side of the line when something within is of that side, else to the side of what is
 * within, if what comes before is of that side too (rule N0 of UAX 9).
 */
function giveSidesToBrackets(texts: readonly string[], strong: Array<Side | undefined>, base: Side): void {
  for (const [opening, closing] of pairsOf(texts)) {
    const within = strong.slice(opening + 1, closing).filter((side) => side !== undefined);
    const before = strong.slice(0, opening).findLast((side) => side !== undefined) ?? base;
    const [first] = within;
    if (first !== undefined) {
      const side = within.includes(base) || first !== before ? base : before;
      strong[opening] = side;
      strong[closing] = side;
    }
  }
}

/** The places of brackets that belong together, in the order of the opening ones. */
function pairsOf(texts: readonly string[]): Array<[opening: number, closing: number]> {
  const open: number[] = [];
  const pairs: Array<[number, number]> = [];
  for (const [at, text] of texts.entries()) {
    if (OPENING.has(text)) {
      open.push(at);
    } else if (Object.hasOwn(MIRRORED, text)) {
      const opening = open.findLast((each) => texts[each] === MIRRORED[text]);
      if (opening !== undefined) {
        open.splice(open.indexOf(opening));
        pairs.push([opening, at]);
      }
    }
  }
  return pairs.sort(([one], [other]) => one - other);
}

/** Between two of the same side it belongs to them, else to the line as a whole. */
function sideOfNeutral(strong: ReadonlyArray<Side | undefined>, at: number, base: Side): Side {
  const before = strong.slice(0, at).findLast((side) => side !== undefined) ?? base;
  const after = strong.slice(at + 1).find((side) => side !== undefined) ?? base;
  return before === after ? before : base;
}

interface Leveled {
  text: string;
  level: number;
}

/** Turns each sequence of units at this level and above around. */
function reverseFrom(units: readonly Leveled[], level: number): Leveled[] {
  const turned: Leveled[] = [];
  let sequence: Leveled[] = [];
  for (const unit of units) {
    if (unit.level >= level) {
      sequence.unshift(unit);
    } else {
      turned.push(...sequence, unit);
      sequence = [];
    }
  }
  return [...turned, ...sequence];
}

/** What reads from left to right and stands side by side is one stretch, so that its letters are set together. */
function merge(units: readonly Leveled[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { text, level } of units) {
    const isRightToLeft = level === 1;
    const last = stretches.at(-1);
    if (!isRightToLeft && last?.isRightToLeft === false) {
      last.text += text;
    } else {
      stretches.push({ text: isRightToLeft ? (MIRRORED[text] ?? text) : text, isRightToLeft });
    }
  }
  return stretches;
}

const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
  '‹': '›',
  '›': '‹',
  '⟨': '⟩',
  '⟩': '⟨',
};

const OPENING: ReadonlySet<string> = new Set('([{<«‹⟨');
