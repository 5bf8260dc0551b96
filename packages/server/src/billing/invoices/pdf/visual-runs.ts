import { createRequire } from 'node:module';

/** A piece of a line that is drawn as a unit. */
export interface VisualRun {
  /** Its characters in logical order, brackets mirrored. */
  text: string;
  /** Whether it is drawn from right to left. */
  isRightToLeft: boolean;
}

const require = createRequire(import.meta.url);
// Its types describe an ES module, but Node.js loads a function: `require` returns what the types call the default
// export.
const createBidi: typeof import('bidi-js')['default'] = require('bidi-js');
const bidi = createBidi();

/**
 * Splits one line into runs, in the order in which they are drawn from left to right, by Unicode's bidirectional
 * algorithm (UAX 9). The first strong character decides the direction of the line.
 */
export function visualRuns(line: string): VisualRun[] {
  if (!RIGHT_TO_LEFT.test(line)) {
    return line === '' ? [] : [{ text: line, isRightToLeft: false }];
  }
  const embedding = bidi.getEmbeddingLevels(line);
  const mirrored = bidi.getMirroredCharactersMap(line, embedding.levels);
  const pieces = Array.from(line.matchAll(PIECES), ({ 0: text, index }) => ({
    text: mirrored.get(index) ?? text,
    level: embedding.levels[index] ?? 0,
  }));
  return joinLeftToRight(reorder(pieces));
}

/** Hebrew, Syriac, Arabic, Thaana, N'Ko and their presentation forms: without one of them, nothing is reordered. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

const RTL = '\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Nko}\\p{Script=Syriac}\\p{Script=Thaana}';
/**
 * A right-to-left word, which the font itself joins and reverses, or any other character; each with its marks. Numbers,
 * punctuation and spaces are separate from words, because they have their own level.
 */
const PIECES = new RegExp(`(?:(?=\\p{L})[${RTL}][\\p{M}\\u200c\\u200d]*)+|\\P{M}\\p{M}*|\\p{M}+`, 'gu');

interface Piece {
  readonly text: string;
  readonly level: number;
}

/** Rule L2: from the highest level down to 1, every sequence at that level or above is reversed. */
function reorder(pieces: readonly Piece[]): readonly Piece[] {
  const highest = Math.max(...pieces.map(({ level }) => level));
  let ordered = pieces;
  for (let level = highest; level > 0; level -= 1) {
    ordered = reverseFrom(ordered, level);
  }
  return ordered;
}

function reverseFrom(pieces: readonly Piece[], level: number): Piece[] {
  const reversed: Piece[] = [];
  let sequence: Piece[] = [];
  for (const piece of pieces) {
    if (piece.level >= level) {
      sequence.unshift(piece);
    } else {
      reversed.push(...sequence, piece);
      sequence = [];
    }
  }
  return [...reversed, ...sequence];
}

/** Neighbors that read from left to right become one run, so that the font sets their letters together. */
function joinLeftToRight(pieces: readonly Piece[]): VisualRun[] {
  const runs: VisualRun[] = [];
  for (const { text, level } of pieces) {
    const isRightToLeft = level % 2 === 1;
    const last = runs.at(-1);
    const isJoined = !isRightToLeft && last?.isRightToLeft === false && !DIGIT_OF_RTL.test(last.text + text);
    if (isJoined) {
      last.text += text;
    } else {
      runs.push({ text, isRightToLeft });
    }
  }
  return runs;
}

/**
 * Digits and separators of right-to-left scripts: fontkit would draw several of them from right to left, so each is a
 * run of its own.
 */
const DIGIT_OF_RTL = /[\u0660-\u066c\u06f0-\u06f9\u07c0-\u07c9]/;
