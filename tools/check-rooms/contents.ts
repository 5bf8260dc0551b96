import type { Text } from './parse-source.ts';
import { isTest, type SourceFile, type Violation } from './source-files.ts';

const LINES_MAX = 300;

/** A drawer's name says nothing about what lies in it, so everything ends up there. */
const DRAWERS = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'shared', 'misc', 'lib']);

/** `common-passwords` names a thing, but `date-helpers` is a drawer with a label. */
const DRAWER_ENDING = /-(?:utils?|helpers?|misc)$/;

const SERVER = 'packages/server/';
const SQL_FILE = /(?:^|[/-])queries\.ts$|-list\.ts$/;
const DATABASE = `${SERVER}src/database/`;

/** Nobody reads generated code to the end, so its length does no harm; the arrows hold for it as for the rest. */
const GENERATED = /\/generated\//;

/** Only one case throughout counts as SQL: "Select a card from the list" is a sentence. */
const SQL_SHAPES = [
  /^select\s[\s\S]*?\sfrom\s/,
  /^select\s+(?:\d|exists\b|[\w.]+\()/,
  /^insert\s+into\s/,
  /^update\s+(?:only\s+)?[\w."]+(?:\s+(?:as\s+)?\w+)?\s+set\s/,
  /^delete\s+from\s/,
  /^with\s+(?:recursive\s+)?[\w"]+\s*(?:\([^)]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s+)?\(/,
];

/** PostgreSQL's other spellings of the transaction's start; `clock_timestamp()` is read through the clock. */
const SQL_NOW = /\bnow\(\s*\)|\btransaction_timestamp\(\s*\)|\bcurrent_(?:timestamp|date)\b|\blocaltimestamp\b/i;

/** What stands inside the files: their names and lengths, and what belongs in one place only. */
export function checkContents(files: readonly SourceFile[], rooms: readonly string[]): Violation[] {
  return files.flatMap((file) => checkFile(file, rooms));
}

function checkFile(file: SourceFile, rooms: readonly string[]): Violation[] {
  const isInRoom = rooms.some((room) => file.path.startsWith(`${SERVER}src/${room}/`));
  return [
    ...checkName(file),
    ...checkLength(file),
    ...checkSql(file),
    ...checkEnvironment(file),
    ...(isInRoom ? checkClock(file) : []),
  ];
}

function checkName({ path }: SourceFile): Violation[] {
  const names = path.split('/').map((segment) => segment.replace(/\..*$/, '').toLowerCase());
  const drawer = names.find((name) => DRAWERS.has(name) || DRAWER_ENDING.test(name));
  if (drawer === undefined) return [];
  return [{ path, line: 1, rule: 'drawer', advice: `name it for the one thing it does, not ${drawer}` }];
}

function checkLength({ path, lines }: SourceFile): Violation[] {
  if (lines <= LINES_MAX || GENERATED.test(path)) return [];
  const advice = `split it by what its parts do: ${lines} lines, at most ${LINES_MAX}`;
  return [{ path, line: LINES_MAX + 1, rule: 'long-file', advice }];
}

function checkSql({ path, texts }: SourceFile): Violation[] {
  if (!path.startsWith(SERVER) || isTest(path) || SQL_FILE.test(path) || path.startsWith(DATABASE)) return [];
  const lines = texts.filter(isSql).map((text) => text.line);
  const advice = "move the statement into a function of the room's queries.ts";
  return [...new Set(lines)].map((line) => ({ path, line, rule: 'stray-sql', advice }));
}

function isSql({ text }: Text): boolean {
  const statement = text.replace(/^(?:\s+|--[^\n]*\n|\/\*[\s\S]*?\*\/)+/, '');
  const [keyword = ''] = statement.split(/\s/, 1);
  if (keyword !== keyword.toLowerCase() && keyword !== keyword.toUpperCase()) return false;
  return SQL_SHAPES.some((shape) => shape.test(statement.toLowerCase()));
}

/** Commands, tools and tests are started by people, with an environment of their own; the service reads it once. */
function checkEnvironment({ path, marks }: SourceFile): Violation[] {
  const isService = /^packages\/(?!cli\/)/.test(path) && !path.startsWith(`${SERVER}src/config/`);
  if (!isService || isTest(path)) return [];
  const advice = 'add a setting to config/ and take it from there';
  return marks
    .filter((mark) => mark.kind === 'environment')
    .map(({ line }) => ({ path, line, rule: 'stray-environment', advice }));
}

function checkClock({ path, texts, marks }: SourceFile): Violation[] {
  if (isTest(path)) return [];
  const lines = [
    ...marks.filter((mark) => mark.kind === 'clock').map((mark) => mark.line),
    ...texts.filter(({ text }) => SQL_NOW.test(text)).map((text) => text.line),
  ];
  const advice = 'take the time from the clock, so that the sandbox can move it';
  return [...new Set(lines)].map((line) => ({ path, line, rule: 'stray-clock', advice }));
}
